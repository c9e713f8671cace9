//! The schema of records in docs/ is that of the types. `WRITE_SCHEMAS=1 cargo test -p nerode-lab --test schemas` writes
//! it.

use std::path::Path;

use lab::record::Record;
use schemars::generate::SchemaSettings;

#[test]
fn the_schema_of_records_is_that_of_the_types() {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let schema = serde_json::to_string_pretty(&generator.into_root_schema_for::<Record>()).unwrap() + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/record.schema.json");
    if std::env::var_os("WRITE_SCHEMAS").is_some() {
        std::fs::write(&path, &schema).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == schema,
        "docs/record.schema.json is out of date: WRITE_SCHEMAS=1 cargo test -p nerode-lab --test schemas"
    );
}
