//! The schemas in docs/ are those of the types. `WRITE_SCHEMAS=1 cargo test -p nerode --test schemas` writes them.

use std::path::Path;

use nerode::{Answer, Certificate, Event, Options, Proof, SCHEMA_VERSION, Session, examples};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The schema of what is written, in which every field is there, or of what is read, in which some may be left out.
fn is_as_written<T: JsonSchema>(name: &str, is_output: bool) {
    let settings = SchemaSettings::draft2020_12();
    let settings = if is_output { settings.for_serialize() } else { settings.for_deserialize() };
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    let schema = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    if std::env::var_os("WRITE_SCHEMAS").is_some() {
        std::fs::write(&path, &schema).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == schema, "docs/{name} is out of date: WRITE_SCHEMAS=1 cargo test -p nerode --test schemas");
}

#[test]
fn the_schemas_are_those_of_the_types() {
    is_as_written::<Answer>("result.schema.json", true);
    is_as_written::<Options>("options.schema.json", false);
    is_as_written::<Event>("event.schema.json", true);
    is_as_written::<Certificate>("certificate.schema.json", true);
    is_as_written::<Proof>("proof.schema.json", true);
}

/// Reads back what it writes, and refuses another version in one line.
fn has_a_version<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(written: &T) {
    let mut json = serde_json::to_value(written).unwrap();
    assert_eq!(json["schema_version"], SCHEMA_VERSION);
    assert_eq!(serde_json::from_value::<T>(json.clone()).unwrap(), *written);
    json["schema_version"] = Value::from(SCHEMA_VERSION + 1);
    let error = serde_json::from_value::<T>(json).unwrap_err().to_string();
    assert_eq!(error, "this JSON has schema version 2, but this nerode reads version 1");
}

#[test]
fn every_format_has_a_version() {
    let examples = examples::of_words(["aa", "b"], ["a", "bb"]).unwrap();
    let options = Options { questions: Some(1), prove: true, ..Options::default() };
    has_a_version(&options);
    let error = Options { schema_version: 2, ..options.clone() }.check().unwrap_err().to_string();
    assert_eq!(error, "these options have schema version 2, but this nerode reads version 1");
    let mut session = Session::new(&examples, options, 1).unwrap();
    has_a_version(&session.step().unwrap());
    let question = session.run().unwrap();
    assert!(matches!(question, Event::Question(_)));
    has_a_version(&question);
    session.stop_asking();
    assert_eq!(session.run().unwrap(), Event::Done);
    has_a_version(&Event::Done);
    let answer = session.finish().unwrap().answer;
    has_a_version(&answer);
    has_a_version(&answer.certificate());
    has_a_version(answer.proof.as_ref().unwrap());
}
