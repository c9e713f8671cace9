//! The commands as a person types them: each transcript under `cmd/`, and those of the README and the tour, runs as it stands.

#[test]
fn transcripts() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd").case("../../README.md").case("../../docs/tour.md");
}
