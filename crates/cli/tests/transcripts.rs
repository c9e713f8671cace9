//! The commands as a person types them: each transcript under `cmd/`, and the README's, runs as it stands.

#[test]
fn transcripts() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd").case("../../README.md");
}
