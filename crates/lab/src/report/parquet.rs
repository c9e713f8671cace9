//! Columns as Parquet, for large numbers of records.

use std::sync::Arc;

use parquet::basic::{ConvertedType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

use super::columns::{Column, Values};

/// The bytes of a table.
pub(super) fn parquet(columns: &[Column]) -> Vec<u8> {
    written(columns).expect("columns are as their schema says, and memory takes every byte")
}

fn written(columns: &[Column]) -> Result<Vec<u8>> {
    let fields = columns.iter().map(field).collect::<Result<Vec<_>>>()?;
    let schema = Arc::new(Type::group_type_builder("records").with_fields(fields).build()?);
    let mut file = SerializedFileWriter::new(Vec::new(), schema, Arc::new(WriterProperties::builder().build()))?;
    let mut group = file.next_row_group()?;
    for column in columns {
        let Some(mut out) = group.next_column()? else { break };
        match &column.values {
            Values::Text(values) => write::<ByteArrayType, _>(&mut out, values, |text| ByteArray::from(text.as_str())),
            // The same bits; the schema marks them as unsigned.
            Values::Count(values) => write::<Int64Type, _>(&mut out, values, |count| count.cast_signed()),
            Values::Number(values) => write::<DoubleType, _>(&mut out, values, |number| *number),
            Values::Truth(values) => write::<BoolType, _>(&mut out, values, |truth| *truth),
        }?;
        out.close()?;
    }
    group.close()?;
    file.into_inner()
}

fn field(column: &Column) -> Result<Arc<Type>> {
    let (physical, meaning) = match column.values {
        Values::Text(_) => (Physical::BYTE_ARRAY, ConvertedType::UTF8),
        Values::Count(_) => (Physical::INT64, ConvertedType::UINT_64),
        Values::Number(_) => (Physical::DOUBLE, ConvertedType::NONE),
        Values::Truth(_) => (Physical::BOOLEAN, ConvertedType::NONE),
    };
    let builder = Type::primitive_type_builder(column.name, physical).with_repetition(Repetition::OPTIONAL);
    Ok(Arc::new(builder.with_converted_type(meaning).build()?))
}

/// The values that are present, and for each row whether it has one.
fn write<T: DataType, V>(
    out: &mut SerializedColumnWriter<'_>,
    values: &[Option<V>],
    value: impl Fn(&V) -> T::T,
) -> Result<()> {
    let there: Vec<T::T> = values.iter().flatten().map(value).collect();
    let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
    out.typed::<T>().write_batch(&there, Some(&levels), None)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let columns = [
            Column { name: "text", values: Values::Text(vec![Some("ä".to_owned()), None]) },
            Column { name: "count", values: Values::Count(vec![Some(u64::MAX), Some(7)]) },
            Column { name: "number", values: Values::Number(vec![None, Some(0.25)]) },
            Column { name: "truth", values: Values::Truth(vec![Some(true), Some(false)]) },
        ];
        let bytes = parquet(&columns);
        assert_eq!(parquet(&columns), bytes, "the same columns give the same bytes");
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&bytes).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(|row| row.unwrap()).collect();
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].get_string(0).unwrap(), "ä");
        assert_eq!((rows[0].get_ulong(1).unwrap(), rows[1].get_ulong(1).unwrap()), (u64::MAX, 7));
        assert!(rows[1].get_string(0).is_err() && rows[0].get_double(2).is_err());
        assert_eq!((rows[1].get_double(2).unwrap(), rows[1].get_bool(3).unwrap()), (0.25, false));
    }
}
