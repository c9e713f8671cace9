//! The fixed list of languages.

use super::recipe::{Class, Form, Recipe};

/// The alphabets, each with the sizes of its tiers.
const ALPHABETS: [(usize, [usize; 2]); 3] = [(4, [3, 3]), (16, [4, 7]), (64, [6, 11])];

/// Class, form, width and number of literals; which of the sizes the tier has; threshold or modulus. Widths and
/// thresholds are given for each alphabet: over many letters, a long factor would never meet another one.
struct Row(Class, Form, [usize; 3], usize, Option<usize>, Option<[usize; 3]>);

/// The languages over each alphabet.
const ROWS: [Row; 40] = [
    Row(Class::SL, Form::None, [2; 3], 4, None, None),
    Row(Class::SL, Form::None, [4; 3], 2, None, None),
    Row(Class::SL, Form::None, [6; 3], 1, None, None),
    Row(Class::CoSL, Form::Some, [2; 3], 3, None, None),
    Row(Class::CoSL, Form::Some, [4; 3], 1, None, None),
    Row(Class::CoSL, Form::Some, [6; 3], 2, None, None),
    Row(Class::TSL, Form::None, [2; 3], 1, Some(0), None),
    Row(Class::TSL, Form::None, [2; 3], 3, Some(1), None),
    Row(Class::TSL, Form::None, [4; 3], 1, Some(0), None),
    Row(Class::TcoSL, Form::Some, [2; 3], 2, Some(1), None),
    Row(Class::TcoSL, Form::Some, [4; 3], 1, Some(1), None),
    Row(Class::SP, Form::None, [2; 3], 2, None, None),
    Row(Class::SP, Form::None, [4; 3], 3, None, None),
    Row(Class::SP, Form::None, [6; 3], 1, None, None),
    Row(Class::CoSP, Form::Some, [2; 3], 1, None, None),
    Row(Class::CoSP, Form::Some, [6; 3], 2, None, None),
    Row(Class::LT, Form::Mixed, [2; 3], 3, None, None),
    Row(Class::LT, Form::If, [4, 2, 1], 2, None, None),
    Row(Class::LT, Form::Xor, [2, 2, 1], 2, None, None),
    Row(Class::LT, Form::Prefix, [2; 3], 2, None, None),
    Row(Class::TLT, Form::If, [2; 3], 2, Some(0), None),
    Row(Class::TLT, Form::Mixed, [2; 3], 3, Some(1), None),
    Row(Class::LTT, Form::None, [1; 3], 1, None, Some([3; 3])),
    Row(Class::LTT, Form::Mixed, [2; 3], 2, None, Some([2; 3])),
    Row(Class::LTT, Form::If, [1; 3], 2, None, Some([7, 4, 2])),
    Row(Class::TLTT, Form::None, [2; 3], 1, Some(1), Some([2; 3])),
    Row(Class::TLTT, Form::Mixed, [1; 3], 2, Some(0), Some([3; 3])),
    Row(Class::PT, Form::Mixed, [2; 3], 4, None, None),
    Row(Class::PT, Form::If, [4, 2, 2], 2, None, None),
    Row(Class::PT, Form::Xor, [4, 2, 2], 2, None, None),
    Row(Class::PT, Form::Prefix, [4; 3], 2, None, None),
    Row(Class::PLT, Form::None, [4; 3], 1, None, None),
    Row(Class::PLT, Form::Some, [3; 3], 2, None, None),
    Row(Class::PLT, Form::If, [3, 3, 2], 2, None, None),
    Row(Class::TPLT, Form::Some, [3; 3], 2, Some(1), None),
    Row(Class::SF, Form::Mixed, [2; 3], 2, Some(1), None),
    Row(Class::Zp, Form::Some, [1; 3], 1, Some(0), Some([3; 3])),
    Row(Class::Zp, Form::Some, [1; 3], 1, Some(1), Some([5, 2, 2])),
    Row(Class::Reg, Form::Mixed, [2; 3], 2, Some(0), Some([2; 3])),
    Row(Class::Reg, Form::Xor, [2; 3], 2, Some(1), Some([3; 3])),
];

/// The languages of the suite, by alphabet and class. Half of them are held out: those with odd numbers over 4 and 64
/// letters, those with even numbers over 16, so that each kind is in both halves.
#[must_use]
pub fn recipes() -> Vec<Recipe> {
    let mut recipes = Vec::new();
    for (place, (letters, tiers)) in ALPHABETS.into_iter().enumerate() {
        for (row, Row(class, form, width, literals, tier, count)) in ROWS.into_iter().enumerate() {
            recipes.push(Recipe {
                class,
                form,
                letters,
                width: width[place],
                literals,
                tier: tier.map(|size| tiers[size]),
                count: count.map(|count| count[place]),
                index: row as u64,
                held_out: (row + place) % 2 == 1,
            });
        }
    }
    recipes
}
