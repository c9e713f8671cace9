//! The schemas in docs/ are those of the types. `WRITE_SCHEMAS=1 cargo test -p nerode --test schemas` writes them.

use std::path::Path;

use nerode::{Answer, Event, Options};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;

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
}
