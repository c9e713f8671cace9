//! One measurement a process, so that the peak of its memory is its own: `scale CASE STATES [FILE]` prints one line of
//! JSON. `cargo xtask bench automata` runs the cases and makes a table of them.
#![allow(clippy::print_stdout, reason = "a measurement is printed")]

use std::time::Instant;

use automata::{Alphabet, Dfa, count_by_length, equivalent, formats, minimize};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

const LETTERS: &str = "abcd";

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let [case, states, rest @ ..] = arguments.as_slice() else {
        println!(
            "usage: scale minimize-random|minimize-half|minimize-cycle|minimize-late-cycle|equivalence|count|write STATES [FILE]"
        );
        return;
    };
    let states: usize = states.parse().expect("a number of states");
    let seconds = match case.as_str() {
        "minimize-random" => measure_minimize(&random(states, 1)),
        "minimize-half" => measure_minimize(&twice(&random(states / 2, 1))),
        "minimize-cycle" => measure_minimize(&cycle(states)),
        "minimize-late-cycle" => measure_minimize(&late_cycle(states)),
        "equivalence" => measure_equivalence(&random(states, 1)),
        "count" => {
            let dfa = minimize(&random(states, 2));
            measure(10, || drop(count_by_length(&dfa, 1000)))
        }
        "write" => {
            std::fs::write(&rest[0], formats::json::write_dfa(&random(states, 1))).expect("the file can be written");
            return;
        }
        other => panic!("no case is called {other}"),
    };
    let peak = peak_bytes().map_or("null".to_owned(), |bytes| bytes.to_string());
    println!("{{\"case\": \"{case}\", \"states\": {states}, \"seconds\": {seconds}, \"peak_bytes\": {peak}}}");
}

/// The best of several runs, in seconds.
fn measure(runs: usize, mut work: impl FnMut()) -> f64 {
    let time = |_| {
        let begin = Instant::now();
        work();
        begin.elapsed().as_secs_f64()
    };
    (0..runs).map(time).fold(f64::INFINITY, f64::min)
}

fn runs_for(dfa: &Dfa) -> usize {
    if dfa.len() > 200_000 { 3 } else { 10 }
}

fn measure_minimize(dfa: &Dfa) -> f64 {
    measure(runs_for(dfa), || drop(minimize(dfa)))
}

/// Against the same automaton with its states shuffled: equal, so nothing is found early.
fn measure_equivalence(dfa: &Dfa) -> f64 {
    let other = shuffled(dfa, 3);
    measure(runs_for(dfa), || assert!(equivalent(dfa, &other)))
}

fn rows(dfa: &Dfa) -> Vec<Vec<usize>> {
    let next = |state, letter| dfa.next(state, letter).expect("it is complete").index();
    dfa.states().map(|state| dfa.alphabet().letters().map(|letter| next(state, letter)).collect()).collect()
}

fn built(initial: usize, accepting: impl IntoIterator<Item = usize>, rows: &[Vec<usize>], letters: &str) -> Dfa {
    let rows: Vec<Vec<Option<usize>>> = rows.iter().map(|row| row.iter().copied().map(Some).collect()).collect();
    Dfa::new(Alphabet::of_chars(letters), initial, accepting, &rows).expect("every state is in range")
}

/// A random complete automaton over four letters.
fn random(states: usize, seed: u64) -> Dfa {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut below = |bound: usize| random.next_u32() as usize % bound;
    let rows: Vec<Vec<usize>> = (0..states).map(|_| LETTERS.chars().map(|_| below(states)).collect()).collect();
    let accepting: Vec<usize> = (0..states).filter(|_| below(2) == 0).collect();
    built(0, accepting, &rows, LETTERS)
}

/// Each state twice, each transition to one of the two copies: half of the states merge.
fn twice(dfa: &Dfa) -> Dfa {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let mut copy = |state: usize| 2 * state + random.next_u32() as usize % 2;
    let original = rows(dfa);
    let rows: Vec<Vec<usize>> =
        (0..2 * dfa.len()).map(|state| original[state / 2].iter().map(|&next| copy(next)).collect()).collect();
    let accepting = dfa.accepting().flat_map(|state| [2 * state.index(), 2 * state.index() + 1]);
    built(0, accepting, &rows, LETTERS)
}

/// The same automaton under other names.
fn shuffled(dfa: &Dfa, seed: u64) -> Dfa {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut name: Vec<usize> = (0..dfa.len()).collect();
    for i in (1..name.len()).rev() {
        name.swap(i, random.next_u32() as usize % (i + 1));
    }
    let original = rows(dfa);
    let mut renamed = vec![Vec::new(); dfa.len()];
    for (state, row) in original.iter().enumerate() {
        renamed[name[state]] = row.iter().map(|&next| name[next]).collect();
    }
    let accepting = dfa.accepting().map(|state| name[state.index()]);
    built(name[dfa.initial().index()], accepting, &renamed, LETTERS)
}

/// The worst case of Hopcroft's algorithm (Berstel and Carton): a cycle over one letter whose acceptance spells a
/// de Bruijn word, so that every step halves every block.
fn cycle(states: usize) -> Dfa {
    let bits = states.ilog2();
    let word = de_bruijn(bits);
    let rows: Vec<Vec<usize>> = (0..word.len()).map(|state| vec![(state + 1) % word.len()]).collect();
    let accepting: Vec<usize> = (0..word.len()).filter(|&i| word[i]).collect();
    built(0, accepting, &rows, "a")
}

/// The same where Moore's rounds do not help: which states of the cycle differ is known only at the end of a line, and
/// the line gives away one state a round.
fn late_cycle(states: usize) -> Dfa {
    const LINE: usize = 64;
    let word = de_bruijn(states.ilog2());
    let n = word.len();
    let mut rows: Vec<Vec<usize>> = (0..n).map(|i| vec![(i + 1) % n, n + usize::from(word[i])]).collect();
    rows.extend((0..LINE).map(|i| vec![n + (i + 1).min(LINE - 1); 2]));
    built(0, [n + LINE - 1], &rows, "ab")
}

/// A cyclic word of 2ⁿ bits with every word of n bits in it once: always a one, unless that window has been seen.
fn de_bruijn(n: u32) -> Vec<bool> {
    let size = 1_usize << n;
    let mut seen = vec![false; size];
    let mut word = Vec::with_capacity(size);
    let mut window = 0;
    for _ in 0..size {
        let with_one = (window << 1 | 1) % size;
        let bit = !seen[with_one];
        window = if bit { with_one } else { (window << 1) % size };
        seen[window] = true;
        word.push(bit);
    }
    word
}

/// The most memory this process has held, where the system tells.
fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024)
}
