//! Models as files: the layout is the paper's, nothing is lost, and what is broken is said in one line.

mod common;
#[path = "common/container.rs"]
mod container;

use automata::Alphabet;
use common::{Numbers, letters};
use container::{closed, opened, with_header, with_text};
use induction::model::{Layout, Model, Shape};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A model whose parameters are all different, and tell their place.
fn counting(shape: Shape, nonterminals: usize, letters_count: usize) -> Model {
    let layout = Layout::new(shape, nonterminals, letters_count);
    Model::new(letters(letters_count), layout, (0..layout.len()).map(|at| at as f32 + 0.5).collect())
}

/// The numbers of a tensor, found as its header says.
fn tensor(file: &[u8], name: &str, shape: &[usize]) -> Vec<f32> {
    let (header, data) = opened(file);
    let header: Value = serde_json::from_str(&header).unwrap();
    let info = &header[name];
    assert_eq!((&info["dtype"], &info["shape"]), (&json!("F32"), &json!(shape)), "{name}");
    let offset = |end: usize| info["data_offsets"][end].as_u64().unwrap() as usize;
    let bytes = &data[offset(0)..offset(1)];
    bytes.chunks(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap())).collect()
}

#[test]
fn tensors_are_in_the_order_of_the_paper() {
    let (n, t) = (3, 2);
    let model = counting(Shape::Nfa, n, t);
    let (layout, parameters) = (model.layout(), model.parameters());
    let file = model.to_safetensors();
    let (terminal, step) = (tensor(&file, "P_T", &[n, t]), tensor(&file, "P_N", &[n, n, t]));
    for j in 0..t {
        for i in 0..n {
            assert_eq!(terminal[i * t + j], parameters[layout.terminal(j, i)], "A_{i} -> a_{j}");
            for k in 0..n {
                assert_eq!(step[(k * n + i) * t + j], parameters[layout.step(j, k, i)], "A_{k} -> A_{i} a_{j}");
            }
        }
    }
    assert_eq!(tensor(&file, "s", &[n]), parameters[layout.last(0)..]);

    let model = counting(Shape::Dfa, n, t);
    let (layout, parameters) = (model.layout(), model.parameters());
    let file = model.to_safetensors();
    let transitions = tensor(&file, "transitions", &[n, n, t]);
    for (to, from, j) in (0..n).flat_map(|to| (0..n).flat_map(move |from| (0..t).map(move |j| (to, from, j)))) {
        assert_eq!(transitions[(to * n + from) * t + j], parameters[layout.step(j, to, from)], "{from} to {to} by {j}");
    }
    assert_eq!(tensor(&file, "acceptance", &[n]), parameters[layout.last(0)..]);
}

#[test]
fn the_header_says_what_the_numbers_are_of() {
    let (header, data) = (counting(Shape::Nfa, 1, 2).to_safetensors(), 4 * (2 + 2 + 1));
    let (text, numbers) = opened(&header);
    assert_eq!(numbers.len(), data);
    let header: Value = serde_json::from_str(&text).unwrap();
    let description = r#"{"version":1,"shape":"nfa","letters":["a","b"]}"#;
    assert_eq!(header["__metadata__"], json!({ "nerode.model": description }));
    let mut tensors: Vec<&String> = header.as_object().unwrap().keys().collect();
    tensors.sort();
    assert_eq!(tensors, ["P_N", "P_T", "__metadata__", "s"]);
}

fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![Just(Shape::Nfa), Just(Shape::Dfa)]
}

proptest! {
    #[test]
    fn nothing_is_lost(
        shape in shape(),
        n in 1..6_usize,
        names in prop::collection::btree_set("[a-c\"\\\\ é\u{1f600}]{1,3}", 1..5),
        seed in any::<u64>(),
    ) {
        let alphabet = Alphabet::new(names).unwrap();
        let layout = Layout::new(shape, n, alphabet.len());
        let mut numbers = Numbers(seed);
        // Bits of every kind, zeros of both signs and subnormal numbers among them, but finite.
        let odd = [0.0, -0.0, f32::MIN_POSITIVE, f32::MIN_POSITIVE / 8.0, f32::MAX, f32::MIN, f32::EPSILON];
        let any = (0..layout.len()).map(|_| {
            let bits = (numbers.below(1 << 31) as u32) << 1 | numbers.below(2) as u32;
            Some(f32::from_bits(bits)).filter(|x| x.is_finite()).unwrap_or(odd[bits as usize % odd.len()])
        });
        let model = Model::new(alphabet, layout, any.collect());
        let file = model.to_safetensors();
        let again = Model::from_safetensors(&file).unwrap();
        let bits = |model: &Model| model.parameters().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        prop_assert_eq!(bits(&again), bits(&model));
        prop_assert_eq!((again.alphabet(), again.layout()), (model.alphabet(), model.layout()));
        prop_assert_eq!(again.to_safetensors(), file, "equal models give equal bytes");
    }
}

#[test]
fn a_large_model_is_a_file_too() {
    let alphabet = Alphabet::new((0..300).map(|c| format!("token {c}"))).unwrap();
    let layout = Layout::new(Shape::Dfa, 70, 300);
    let model = Model::new(alphabet, layout, (0..layout.len()).map(|at| at as f32).collect());
    assert_eq!(Model::from_safetensors(&model.to_safetensors()).unwrap(), model);
}

/// The one line a broken file is answered with.
fn complaint(file: &[u8]) -> String {
    Model::from_safetensors(file).expect_err("it is broken").to_string()
}

#[test]
fn what_is_wrong_is_said() {
    let file = counting(Shape::Nfa, 2, 2).to_safetensors();
    let described = |change: &dyn Fn(&mut Value)| complaint(&with_text(&file, "nerode.model", change));
    let header = |change: &dyn Fn(&mut Value)| complaint(&with_header(&file, change));
    let letters = |letters: Value| described(&|description| description["letters"] = letters.clone());

    assert_eq!(
        described(&|description| description["version"] = 2.into()),
        "not a model: it has version 2, but this program reads version 1"
    );
    // What a later version says besides does not matter.
    assert!(described(&|description| *description = json!({ "version": 3, "form": "?" })).contains("has version 3"));
    assert!(described(&|description| description["shape"] = "pda".into()).contains("unknown variant `pda`"));
    assert_eq!(
        described(&|description| description["shape"] = "dfa".into()),
        "not a model: tensor `acceptance` not found"
    );
    assert_eq!(letters(json!([])), "not a model: it has no letters");
    assert_eq!(letters(json!(["", "a"])), "not a model: a letter is the empty string");
    assert_eq!(
        letters(json!(["b", "a"])),
        "not a model: the letter \"a\" comes after \"b\", but letters must be sorted and distinct"
    );
    assert_eq!(
        letters(json!(["a", "a"])),
        "not a model: the letter \"a\" comes after \"a\", but letters must be sorted and distinct"
    );
    assert_eq!(letters(json!(["a", "b", "c"])), "not a model: P_T has the shape [2, 2], but must have [2, 3]");
    assert_eq!(
        header(&|header| header["__metadata__"] = json!({ "format": "pt" })),
        "not a model: the file has no text under the key nerode.model"
    );
    assert_eq!(
        header(&|header| header["P_N"]["dtype"] = "I32".into()),
        "not a model: P_N has numbers of type I32, but must have F32"
    );
    assert_eq!(
        header(&|header| header["P_N"]["shape"] = json!([2, 4])),
        "not a model: P_N has the shape [2, 4], but must have [2, 2, 2]"
    );
    assert_eq!(
        header(&|header| header["s"]["shape"] = json!([1, 2])),
        "not a model: s has the shape [1, 2], but must be a row"
    );
    assert_eq!(
        header(&|header| {
            let moved = header.as_object_mut().unwrap().remove("P_T").unwrap();
            header["P_U"] = moved;
        }),
        "not a model: tensor `P_T` not found"
    );
    for file in [&b""[..], b"{}", &closed("", &[]), &closed("{}", &[]), &closed("null", &[]), &[255; 64]] {
        assert!(complaint(file).starts_with("not a model: "));
    }
}

#[test]
fn parameters_are_finite() {
    for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let model = counting(Shape::Dfa, 2, 1);
        let mut parameters = model.parameters().to_vec();
        parameters[model.layout().step(0, 1, 0)] = number;
        let model = Model::new(model.alphabet().clone(), model.layout(), parameters);
        let expected = format!("not a model: transitions has {number} at index 2, which is not finite");
        assert_eq!(complaint(&model.to_safetensors()), expected);
    }
}

#[test]
fn sizes_that_cannot_be_take_no_memory() {
    let file = counting(Shape::Nfa, 2, 2).to_safetensors();
    let (_, data) = opened(&file);
    let shapes = [json!([u64::MAX]), json!([1_u64 << 62]), json!([1_u64 << 32, 1_u64 << 32, 0]), json!([1_u64 << 40])];
    for shape in shapes {
        for name in ["P_T", "P_N", "s"] {
            assert!(
                complaint(&with_header(&file, |header| header[name]["shape"] = shape.clone()))
                    .starts_with("not a model")
            );
        }
    }
    // Tensors without a number may have any shape.
    let empty = |shape: Value| json!({ "dtype": "F32", "shape": shape, "data_offsets": [0, 0] });
    let header = |s: Value, letters: &str| {
        let description = format!(r#"{{"version":1,"shape":"dfa","letters":{letters}}}"#);
        let transitions = empty(json!([1_u64 << 40, 1_u64 << 20, 0]));
        json!({ "__metadata__": { "nerode.model": description }, "acceptance": s, "transitions": transitions })
    };
    let file = closed(&header(empty(json!([0])), r#"["a"]"#).to_string(), &[]);
    assert_eq!(complaint(&file), "not a model: it has no non-terminals");
    let one = json!({ "dtype": "F32", "shape": [1], "data_offsets": [0, 4] });
    let file = closed(&header(one, r#"["a"]"#).to_string(), &data[..4]);
    assert!(complaint(&file).starts_with("not a model: "));
}

#[test]
fn a_part_of_a_file_is_none_and_a_flipped_bit_brings_nothing_down() {
    let file = counting(Shape::Nfa, 2, 2).to_safetensors();
    for length in 0..file.len() {
        assert!(Model::from_safetensors(&file[..length]).is_err(), "{length} of {} bytes", file.len());
    }
    for (at, bit) in (0..file.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
        let mut file = file.clone();
        file[at] ^= 1 << bit;
        let _ = Model::from_safetensors(&file);
    }
}
