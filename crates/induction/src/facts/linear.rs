//! Sets of letters that are counted modulo a number, by linear algebra.
//!
//! "An even number of a, d or f" says nothing about words with one a, nor about words with one d: no letter of such a set tells
//! the labels apart alone, so the set cannot be grown. But all accepted words satisfy one linear equation modulo 2, in which
//! the unknowns are the coefficients of the letters. Gaussian elimination finds all equations modulo a prime that some words
//! satisfy; those whose coefficients are all 0 or 1 are sets. It needs a few more words than there are letters.
//!
//! A count that is joined with other facts is an equation of fewer words: of the accepted words without `f`, say, if words with
//! `f` are accepted anyway. So the words of several *cells* are tried, each side by side with its labels.

use super::text::Text;

/// The moduli that are solved for; composite ones are multiples of them.
const PRIMES: [u8; 4] = [2, 3, 5, 7];
/// Counts are kept modulo the product of all primes.
const PRODUCT: u32 = 210;
/// This many words more than unknowns are needed. Words without an equation then satisfy one by chance in one of 2¹² cases.
const SPARE: usize = 12;
/// At most this many words for each unknown are used; an equation is judged on all words anyway.
const MOST_ROWS: usize = 16;
/// If there are more independent equations, the words are too much alike to say which is meant.
const MOST_EQUATIONS: usize = 3;
/// With wrong labels, equations are looked for in this many small groups of words, some of which have none.
const GROUPS: usize = 16;

/// How often each letter occurs in each word, modulo all primes.
pub(super) struct Tallies {
    letters: usize,
    counts: Vec<u8>,
}

/// All words satisfy: the number of these letters is `remainder` modulo `modulus`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Equation {
    pub(super) letters: Vec<usize>,
    pub(super) modulus: usize,
    pub(super) remainder: usize,
}

impl Tallies {
    pub(super) fn new(text: &Text) -> Self {
        let mut counts = vec![0; text.words() * text.letters()];
        for letter in 0..text.letters() {
            for (word, &count) in text.counts(text.at(letter)).iter().enumerate() {
                counts[word * text.letters() + letter] = (count % PRODUCT) as u8;
            }
        }
        Self { letters: text.letters(), counts }
    }

    fn row(&self, word: usize) -> &[u8] {
        &self.counts[word * self.letters..][..self.letters]
    }

    /// Equations that all these words satisfy, or many of them if labels may be wrong.
    pub(super) fn equations(&self, words: &[usize], noise: bool) -> Vec<Equation> {
        let rows = words.iter().map(|&word| (self.row(word), None)).collect();
        let mut found = Vec::new();
        for group in groups(rows, self.letters + 1 + SPARE, noise) {
            found.extend(solve::<2>(&group));
            found.extend(solve::<3>(&group));
            found.extend(solve::<5>(&group));
            found.extend(solve::<7>(&group));
        }
        found
    }

    /// Equations modulo 2 that the accepted words satisfy and the rejected ones do not: each word counts, whatever its label.
    pub(super) fn parities(&self, words: &[usize], accepted: impl Fn(usize) -> bool, noise: bool) -> Vec<Equation> {
        let rows = words.iter().map(|&word| (self.row(word), Some(accepted(word)))).collect();
        groups(rows, self.letters + 2 + SPARE, noise).iter().flat_map(|group| solve::<2>(group)).collect()
    }
}

/// A word: its counts, and its label if that is an unknown, too.
type Row<'a> = (&'a [u8], Option<bool>);

/// The words to solve for: some of all, or several small groups; spread evenly. None if there are too few.
fn groups(rows: Vec<Row<'_>>, size: usize, noise: bool) -> Vec<Vec<Row<'_>>> {
    let count = rows.len() / size;
    match noise {
        _ if count == 0 => Vec::new(),
        false => {
            let stride = rows.len().div_ceil(size * MOST_ROWS).max(1);
            vec![rows.into_iter().step_by(stride).collect()]
        }
        true => {
            let group = |i: usize| rows.iter().copied().skip(i).step_by(count).collect();
            (0..count.min(GROUPS)).map(group).collect()
        }
    }
}

/// The equations modulo a prime that all rows satisfy.
fn solve<const P: u8>(rows: &[Row<'_>]) -> Vec<Equation> {
    debug_assert!(PRIMES.contains(&P));
    // Letters that do not occur could be in any set.
    let letters = rows.first().map_or(0, |(row, _)| row.len());
    let occurring: Vec<usize> = (0..letters).filter(|&letter| rows.iter().any(|(row, _)| row[letter] != 0)).collect();
    let has_label = rows.first().is_some_and(|(_, label)| label.is_some());
    // The columns: letters, the label, and 1.
    let width = occurring.len() + usize::from(has_label) + 1;
    if rows.len() < width + SPARE {
        return Vec::new();
    }
    let mut echelon = Echelon::<P>::new(width);
    for (row, label) in rows {
        let letters = occurring.iter().map(|&letter| row[letter] % P);
        // A rejected word is off by one.
        let label = label.map(|accepted| u8::from(!accepted));
        echelon.add(letters.chain(label).chain([1]).collect());
        if echelon.rank() == width {
            return Vec::new();
        }
    }
    let mut equations = Vec::new();
    for coefficients in echelon.solutions() {
        let (of_letters, others) = coefficients.split_at(occurring.len());
        let Some(&first) = of_letters.iter().find(|&&coefficient| coefficient != 0) else { continue };
        let is_set = of_letters.iter().all(|&coefficient| coefficient == 0 || coefficient == first);
        let tells = !has_label || others[0] != 0;
        if is_set && tells {
            let constant = u16::from(others[others.len() - 1]) * u16::from(inverse::<P>(first)) % u16::from(P);
            let set = occurring.iter().zip(of_letters).filter(|(_, coefficient)| **coefficient != 0);
            let letters = set.map(|(&letter, _)| letter).collect();
            let remainder = (u16::from(P) - constant) % u16::from(P);
            equations.push(Equation { letters, modulus: usize::from(P), remainder: usize::from(remainder) });
        }
    }
    equations
}

/// Independent rows modulo a prime, each with a first entry of 1 in a column of its own.
struct Echelon<const P: u8> {
    /// The row that begins in each column.
    rows: Vec<Option<Vec<u8>>>,
}

impl<const P: u8> Echelon<P> {
    fn new(width: usize) -> Self {
        Self { rows: vec![None; width] }
    }

    fn rank(&self) -> usize {
        self.rows.iter().flatten().count()
    }

    fn add(&mut self, mut row: Vec<u8>) {
        for column in 0..row.len() {
            if row[column] == 0 {
                continue;
            }
            match &self.rows[column] {
                Some(known) => subtract::<P>(&mut row, known, column),
                None => {
                    let scale = inverse::<P>(row[column]);
                    row.iter_mut().for_each(|entry| *entry = *entry * scale % P);
                    self.rows[column] = Some(row);
                    return;
                }
            }
        }
    }

    /// Vectors that are orthogonal to all rows, one of each line; none if there are too many.
    fn solutions(mut self) -> Vec<Vec<u8>> {
        let width = self.rows.len();
        let free: Vec<usize> = (0..width).filter(|&column| self.rows[column].is_none()).collect();
        if free.len() > MOST_EQUATIONS {
            return Vec::new();
        }
        // From below, each row loses its entries in the columns of other rows.
        for column in (0..width).rev() {
            let Some(mut row) = self.rows[column].take() else { continue };
            for other in column + 1..width {
                if let Some(known) = &self.rows[other] {
                    subtract::<P>(&mut row, known, other);
                }
            }
            self.rows[column] = Some(row);
        }
        let basis: Vec<Vec<u8>> = free
            .iter()
            .map(|&chosen| {
                let entry = |column: usize| match &self.rows[column] {
                    Some(row) => (P - row[chosen]) % P,
                    None => u8::from(column == chosen),
                };
                (0..width).map(entry).collect()
            })
            .collect();
        let factors = |number: usize| (0..basis.len()).map(move |i| (number / usize::from(P).pow(i as u32)) as u8 % P);
        let sum = |number: usize| {
            let mut sum = vec![0; width];
            for (vector, factor) in basis.iter().zip(factors(number)) {
                sum.iter_mut().zip(vector).for_each(|(sum, entry)| *sum = (*sum + entry * factor) % P);
            }
            sum
        };
        // Of the multiples of a vector, the one whose last factor is 1.
        let is_chosen = |number: &usize| factors(*number).rfind(|&factor| factor != 0) == Some(1);
        (1..usize::from(P).pow(basis.len() as u32)).filter(is_chosen).map(sum).collect()
    }
}

/// Makes the entry of a row in a column zero by subtracting a row that has a 1 there, and zeros before it.
fn subtract<const P: u8>(row: &mut [u8], known: &[u8], column: usize) {
    let factor = P - row[column];
    row[column..].iter_mut().zip(&known[column..]).for_each(|(a, b)| *a = (*a + factor * b) % P);
}

fn inverse<const P: u8>(entry: u8) -> u8 {
    (1..P).find(|other| entry * other % P == 1).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use automata::Letter;
    use proptest::prelude::*;

    use super::*;

    /// Words over some letters, which a small generator draws.
    fn words(letters: usize, count: usize, seed: u64) -> Vec<Vec<Letter>> {
        let mut state = seed;
        let mut draw = move |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        (0..count).map(|_| (0..15 + draw(15)).map(|_| Letter::new(draw(letters))).collect()).collect()
    }

    proptest! {
        /// A set of letters that is counted modulo a prime is found in the words with one remainder.
        #[test]
        fn counted_sets_are_found(
            letters in 2_usize..40,
            mask in 1_u64..,
            prime in 0_usize..4,
            remainder in 0_usize..7,
            seed in 0_u64..1_000_000,
        ) {
            let modulus = usize::from(PRIMES[prime]);
            let remainder = remainder % modulus;
            let set: Vec<usize> = (0..letters).filter(|letter| mask >> letter & 1 == 1).collect();
            prop_assume!(!set.is_empty());
            let all = words(letters, 1_500, seed);
            let text = Text::new(letters, all.iter().map(|word| &word[..]));
            let counted = |word: &[Letter]| word.iter().filter(|letter| set.contains(&letter.index())).count();
            let having: Vec<usize> = (0..all.len()).filter(|&i| counted(&all[i]) % modulus == remainder).collect();
            let equations = Tallies::new(&text).equations(&having, false);
            prop_assert!(equations.contains(&Equation { letters: set, modulus, remainder }), "{:?}", equations);
        }

        /// Of parities all words say something, so half as many are enough; and a few wrong labels do no harm.
        #[test]
        fn parities_are_found(mask in 1_u64..256, odd: bool, noise: bool, seed in 0_u64..1_000_000) {
            let set: Vec<usize> = (0..8).filter(|letter| mask >> letter & 1 == 1).collect();
            let all = words(8, if noise { 400 } else { 30 }, seed);
            let text = Text::new(8, all.iter().map(|word| &word[..]));
            let remainder = usize::from(odd);
            let counted = |word: usize| all[word].iter().filter(|letter| set.contains(&letter.index())).count();
            let label = |word: usize| (counted(word) % 2 == remainder) != (noise && word % 50 == 7);
            let numbers: Vec<usize> = (0..all.len()).collect();
            let found = Tallies::new(&text).parities(&numbers, label, noise);
            prop_assert!(found.contains(&Equation { letters: set, modulus: 2, remainder }), "{:?}", found);
        }
    }

    #[test]
    fn words_without_an_equation_have_none() {
        let all = words(16, 400, 7);
        let text = Text::new(16, all.iter().map(|word| &word[..]));
        let numbers: Vec<usize> = (0..all.len()).collect();
        assert_eq!(Tallies::new(&text).equations(&numbers, false), Vec::new());
        // Too few to say anything.
        assert_eq!(Tallies::new(&text).equations(&numbers[..20], false), Vec::new());
    }
}
