//! Patterns of strings: what a person would have written, and what holds whatever the strings are.

use automata::{Alphabet, Class, Examples, Label, Regex, Word, separating_word};
use induction::learner::{Induced, Noise, StopReason};
use induction::strings::{self, Patterns, StringsError, Ways};
use induction::{Sample, certify};
use proptest::prelude::*;

fn sample(accepted: &[&str], rejected: &[&str]) -> Sample {
    let alphabet = Alphabet::of_chars(&(accepted.concat() + &rejected.concat()));
    let labelled = |words: &[&str], label| -> Vec<(Word, Label)> {
        words.iter().map(|word| (alphabet.read(word).unwrap(), label)).collect()
    };
    let mut rows = labelled(accepted, Label::Accepted);
    rows.extend(labelled(rejected, Label::Rejected));
    Sample::new(&Examples::of(&alphabet, rows), true).unwrap()
}

fn learn(sample: &Sample, classes: Option<&[Class]>) -> Result<Induced, StringsError> {
    strings::learn(sample, classes, &|| false)
}

fn expression(accepted: &str, rejected: &str) -> String {
    let accepted: Vec<&str> = accepted.split_whitespace().collect();
    let rejected: Vec<&str> = rejected.split_whitespace().collect();
    let sample = sample(&accepted, &rejected);
    let induced = learn(&sample, None).unwrap();
    check(&induced, &sample);
    induced.expression.unwrap()
}

/// What holds of every answer: it agrees with all strings, and expression, grammar and automaton say the same.
fn check(induced: &Induced, sample: &Sample) {
    assert!(induced.certificate.is_consistent());
    assert_eq!(certify(&induced.dfa, sample), induced.certificate);
    let said = induced.expression.as_ref().unwrap();
    let alphabet = induced.dfa.alphabet();
    let read = Regex::parse_spelled(said, alphabet, alphabet.spelling()).unwrap().to_dfa().unwrap();
    let both = read.alphabet().union(induced.dfa.alphabet());
    assert_eq!(separating_word(&read.over(&both), &induced.dfa.over(&both)), None, "{said}");
    let grammar = automata::determinize(&induced.grammar.to_nfa(), 100_000).unwrap();
    assert_eq!(separating_word(&grammar, &induced.dfa), None, "{said}");
    for other in &induced.alternatives {
        assert!(certify(&other.dfa, sample).is_consistent());
        assert_ne!(other.dfa, induced.dfa);
    }
    for open in &induced.undecided {
        assert!((1..open.of).contains(&open.accepted_by));
        assert!(sample.rows().all(|(word, _)| *word != open.word[..]), "what is labelled is not asked about");
    }
}

#[test]
fn everyday_strings_give_what_a_person_would_write() {
    for (accepted, rejected, expected) in [
        (
            "#a1b2c3 #00ff7e #9d4e2a #c0ffee #123abc #fe019d #77aa00 #5b5b5b",
            "a1b2c3 #00ff7 #9d4e2ax #c0ffeg #123abcd ##fe019d",
            "#[a-f0-9]{6}",
        ),
        (
            "v1.2.3 v0.10.4 v12.0.1 v3.45.6 v7.8.90 v2.0.0 v10.11.12 v5.5.5",
            "1.2.3 v1.2 v1.2.3.4 v1..3 va.b.c v1.2.",
            r"v[0-9]+(\.[0-9]+){2}",
        ),
        (
            "first_name x user_id last_login_at total is_open http_status_code n_items created",
            "_name name_ First_name user__id last-login-at 9lives",
            "[a-z]+(_[a-z]+)*",
        ),
        (
            "a=1 key=value7 x=10;y=20 name=bob9;age=4x4 p=q;r=s;t=u mode=2fast level=3;deep=yes k=v0",
            "a= =1 key x=10; ;y=20 name:bob a=1,b=2 a==1 x=10;y a=1=2",
            "[a-z]+=[a-z0-9]+(;[a-z]+=[a-z0-9]+)*",
        ),
        (
            "00:1a:2b 3c:4d:5e ff:00:aa 9b:7e:11 c3:d4:e5 01:23:45",
            "00:1a 3c:4d:5e:6f fg:00:aa 9b-7e-11 c3d4e5",
            "[a-f0-9]{2}(:[a-f0-9]{2}){2}",
        ),
    ] {
        assert_eq!(expression(accepted, rejected), expected);
    }
}

#[test]
fn what_is_rejected_splits_classes() {
    let accepted = "40 41 44 39 38 37 31 32 33 34 35 36";
    assert_eq!(expression(accepted, "1 123 ab"), "[34][0-9]");
    let split = expression(accepted, "1 123 ab 45 49 50");
    let read = Regex::parse(&split, &Alphabet::of_chars("0123456789")).unwrap().to_dfa().unwrap();
    let has = |word: &str| read.accepts(&read.alphabet().read(word).unwrap());
    assert!(has("44") && has("37") && !has("45") && !has("49") && !has("50"), "{split}");
}

#[test]
fn letters_that_were_never_seen_in_a_place_are_learned_with_those_that_were() {
    let accepted = ["x1", "y2", "z3", "q4", "w5", "e6", "r7", "t8", "u9", "i0"];
    let induced = learn(&sample(&accepted, &["1x", "x", "11", "x12", "-1"]), None).unwrap();
    let alphabet = induced.dfa.alphabet();
    for (word, is_in) in [("a5", true), ("m0", true), ("aa", false), ("A5", false)] {
        let read = alphabet.read(word);
        assert_eq!(read.is_ok_and(|word| induced.dfa.accepts(&word)), is_in, "{word}");
    }
}

/// What is counted has bounds that people know, and so have numbers whose neighbours do not belong.
#[test]
fn numbers_have_bounds() {
    for (accepted, rejected, expected) in [
        ("04:07 12:59 23:00 19:45 07:30", "4:07 12-59", "([01][0-9]|2[0-3]):[0-5][0-9]"),
        ("03 11 07 12 01", "3 113 a", "0[1-9]|1[0-2]"),
        (
            "3 250 17 99 0 128 255 64 201 33 7 190 84 142 66 13",
            "256 300 007 1234 03 -1",
            "[0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5]",
        ),
        ("00 41 17 23 38 05 29 11 40 33 08", "42 43 55 99 1 123", "[0-3][0-9]|4[01]"),
    ] {
        assert_eq!(expression(accepted, rejected), expected);
    }
    // Some of these classes have no digit that an example has.
    learn(&sample(&["10", "120"], &[""]), None).unwrap();
    // A part of a longer number is no number.
    assert_eq!(expression("1203 1107 1911 1002 1504", "120 11070 a"), "1[0-9]{3}");
}

#[test]
fn letters_beyond_ascii_are_learned_by_category() {
    let accepted = "Müller Çelik Žižek Ångström Öztürk Émile Łukasz Søren Ñandú Þórður Bo Weiß";
    let rejected = "müller ÇELIK Ž ångström Öz-türk Émile1 łukasz 7øren";
    assert_eq!(expression(accepted, rejected), r"[\p{Lu}][\p{Ll}]+");
}

/// One wrong label among many does not undo a pattern, and is pointed out; where all are right none is.
#[test]
fn wrong_labels_are_pointed_out() {
    let accepted = "ERR-1234 ERR-0042 ERR-9981 ERR-5570 ERR-3316 ERR-7203 ERR-8465 ERR-6127 ERR-2908 ERR-4751";
    let rejected = "ERR-12 ERR1234 err-5570 ERR-99811 ERR_0042 XERR-7203 ERR-33a6 RR-8465 ERR- -6127";
    let list = |words: &str, more: &str| format!("{words} {more}");
    let noisy = |accepted: &str, rejected: &str, noise: Noise| {
        let [accepted, rejected]: [Vec<&str>; 2] = [accepted, rejected].map(|words| words.split_whitespace().collect());
        let sample = sample(&accepted, &rejected);
        let ways = Ways { noise, ..Ways::default() };
        let mut patterns = Patterns::new(sample.clone(), &ways).unwrap();
        patterns.work(&|| false);
        let induced = patterns.induced(&sample).unwrap();
        let suspects: Vec<String> = induced.suspects.iter().map(|one| sample.alphabet().write(&one.word)).collect();
        (induced.expression.unwrap(), suspects)
    };
    let right = "ERR-[0-9]{4}".to_owned();
    for noise in [Noise::Auto, Noise::Rate(0.05)] {
        assert_eq!(noisy(accepted, rejected, noise), (right.clone(), vec![]));
        let wrong = noisy(accepted, &list(rejected, "ERR-3141"), noise);
        assert_eq!(wrong, (right.clone(), vec!["ERR-3141".to_owned()]));
        let wrong = noisy(&list(accepted, "warn:x7"), rejected, noise);
        assert_eq!(wrong, (right.clone(), vec!["warn:x7".to_owned()]));
        // Said both ways, and so left out.
        let both = noisy(&list(accepted, "ERR-3141"), &list(rejected, "ERR-3141"), noise);
        assert_eq!(both, (right.clone(), vec!["ERR-3141".to_owned()]));
    }
}

#[test]
fn classes_may_be_given() {
    let accepted = ["ab1", "cd2", "ef3", "gh4", "ij5", "kl6", "mn7", "op8"];
    let sample = sample(&accepted, &["1ab", "ab", "abc", "12c"]);
    let classes = ["[a-p]", "[1-8]"].map(|class| Class::parse(class).unwrap());
    let induced = learn(&sample, Some(&classes)).unwrap();
    assert_eq!(induced.expression.as_deref(), Some("[a-p]{2}[1-8]"));
}

#[test]
fn what_cannot_be_learned_so_is_refused() {
    let tokens = Alphabet::new(["log in", "log out"]).unwrap();
    let rows = vec![(tokens.letters().take(1).collect(), Label::Accepted), (Word::empty(), Label::Rejected)];
    let tokens = Sample::new(&Examples::of(&tokens, rows), false).unwrap();
    let digits = [Class::new([('0', '9')])];
    assert_eq!(learn(&tokens, Some(&digits)).unwrap_err(), StringsError::NotCharacters);
    let both = sample(&["abc", "x"], &["abc"]);
    assert_eq!(learn(&both, None).unwrap_err(), StringsError::Contradiction("abc".to_owned()));
    let many: String = ('\u{100}'..'\u{300}').collect();
    assert_eq!(learn(&sample(&[&many], &["a"]), None).unwrap_err(), StringsError::TooManyCharacters(513));
}

/// A character that may not be in one place was taken out of a class that is shared with a place where it was seen.
#[test]
fn what_is_banned_in_one_place_is_kept_in_another() {
    expression("---bac -. 0a-aa0 a0", "0-00.a aa-");
}

/// Patterns and all words that they have to agree with.
struct Asked {
    patterns: Patterns,
    sample: Sample,
}

impl Asked {
    fn new(sample: Sample) -> Self {
        let mut patterns = Patterns::new(sample.clone(), &Ways::default()).unwrap();
        patterns.work(&|| false);
        Self { patterns, sample }
    }

    fn induced(&self) -> Induced {
        self.patterns.induced(&self.sample).unwrap()
    }

    fn tell(&mut self, word: &Word, is_in: bool) {
        let label = if is_in { Label::Accepted } else { Label::Rejected };
        self.sample = self.sample.and(&[(word.clone(), label.into())], false).unwrap();
        self.patterns.tell(word, is_in);
        self.patterns.work(&|| false);
    }
}

#[test]
fn what_is_told_later_is_agreed_with() {
    let accepted = ["2024-01-05", "1999-12-31", "2011-07-20", "1987-10-08", "2030-02-14"];
    let sample = sample(&accepted, &["2024-1-05", "99-12-31", "2011/07/20", "1987-13-08"]);
    let mut patterns = Asked::new(sample);
    let dates = Regex::parse("[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])", &Alphabet::of_chars("0123456789-"));
    let dates = dates.unwrap().to_dfa().unwrap();
    for _ in 0..12 {
        let induced = patterns.induced();
        check(&induced, &patterns.sample);
        let Some(open) = induced.undecided.iter().chain(&induced.doubtful).next() else { break };
        let text = patterns.sample.alphabet().write(&open.word);
        let is_in = dates.alphabet().read(&text).is_ok_and(|word| dates.accepts(&word));
        patterns.tell(&open.word, is_in);
    }
    assert!(patterns.sample.rows().count() > 15, "something was asked");
}

#[test]
fn eight_dates_and_a_few_questions_give_all_dates() {
    let accepted = "2024-01-05 1999-12-31 2011-07-20 1987-10-08 2030-02-14 2001-11-29 2015-06-30 1970-03-17";
    let rejected = "2024-1-05 99-12-31 2011/07/20 1987-13-08 2030-02-32 2001-00-29 20150630 1970-03-1";
    let accepted: Vec<&str> = accepted.split_whitespace().collect();
    let rejected: Vec<&str> = rejected.split_whitespace().collect();
    let sample = sample(&accepted, &rejected);
    let truth = Regex::parse("[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])", sample.alphabet()).unwrap();
    let truth = truth.to_dfa().unwrap();
    let mut patterns = Asked::new(sample);
    for _ in 0..6 {
        let induced = patterns.induced();
        check(&induced, &patterns.sample);
        let asked = induced.undecided.iter().chain(&induced.doubtful).map(|open| &open.word);
        let Some(word) = asked.into_iter().next() else { break };
        patterns.tell(word, truth.accepts(word));
    }
    let dfa = patterns.induced().dfa;
    let both = dfa.alphabet().union(truth.alphabet());
    assert_eq!(separating_word(&dfa.over(&both), &truth.over(&both)), None);
}

/// Lines of tokens, the accepted ones first.
fn lines(accepted: &[&str], rejected: &[&str]) -> Sample {
    let names = accepted.iter().chain(rejected).flat_map(|line| line.split(' '));
    let alphabet = Alphabet::new(names).unwrap();
    let labelled = |lines: &[&str], label| -> Vec<(Word, Label)> {
        lines.iter().map(|line| (alphabet.read(line).unwrap(), label)).collect()
    };
    let rows = [labelled(accepted, Label::Accepted), labelled(rejected, Label::Rejected)].concat();
    Sample::new(&Examples::of(&alphabet, rows), true).unwrap()
}

#[test]
fn tokens_are_learned_by_their_shapes() {
    let accepted = [
        "INFO user alice logged in after 12 s",
        "INFO user bob logged in after 3 s",
        "INFO user carol logged in after 45 s",
        "INFO user dave logged out after 312 s",
        "ERROR job 7f3a9c failed with code 3",
        "ERROR job 11ab4e failed with code 137",
        "ERROR job 55dd0b failed with code 1",
    ];
    let rejected = [
        "INFO user alice logged in after s",
        "INFO user 12 logged in after 3 s",
        "INFO alice logged in after 12 s",
        "ERROR job alice failed with code 3",
        "ERROR job 7f3a9c failed with code",
        "INFO job 7f3a9c failed with code 3",
    ];
    let sample = lines(&accepted, &rejected);
    let induced = learn(&sample, None).unwrap();
    check(&induced, &sample);
    let said = induced.expression.as_ref().unwrap();
    assert!(said.contains("<user><:identifier:><logged>") && said.contains("<job><:hex:><failed>"), "{said}");
    let accepts = |line: &str| induced.dfa.accepts(&induced.dfa.alphabet().read(line).unwrap());
    assert!(accepts("INFO user zoe logged in after 99999 s"));
    assert!(accepts("ERROR job 00ff00 failed with code 0"));
    assert!(!accepts("ERROR job 00ff00 failed with code zoe"));
    // What the pattern speaks of is no name.
    assert!(!accepts("INFO user ERROR logged in after 1 s"));
}

#[test]
fn a_name_may_be_a_word_of_the_format_where_an_example_has_it() {
    let accepted = ["set alpha 1", "set beta 22", "set gamma 3", "set set 4", "set delta 57", "set omega 6"];
    let rejected = ["alpha 1", "set 1", "set alpha", "put alpha 1", "set alpha beta", "1 alpha set"];
    let sample = lines(&accepted, &rejected);
    check(&learn(&sample, None).unwrap(), &sample);
}

#[test]
fn rare_tokens_share_a_letter_and_are_refused_where_labels_differ() {
    let names: Vec<String> = (0..60).map(|i| format!("name{i:02}")).collect();
    let accepted: Vec<String> = names.iter().take(50).map(|name| format!("hello {name} !")).collect();
    let accepted: Vec<&str> = accepted.iter().map(String::as_str).collect();
    let sample = lines(&accepted, &["hello !", "bye name03 !"]);
    let induced = learn(&sample, None).unwrap();
    check(&induced, &sample);
    assert_eq!(induced.expression.as_deref(), Some("<hello><:identifier:><!>"));
    let sample = lines(&accepted, &["hello !", "hello name59 !"]);
    assert!(matches!(learn(&sample, None), Err(StringsError::SameShapes(_))));
}

#[test]
fn a_search_that_is_stopped_still_agrees_with_all_strings() {
    let sample = sample(&["2024-01-05", "1999-12-31", "2011-07-20"], &["2024-1-05", "99-12-31", "", "2011-07-2x"]);
    let induced = strings::learn(&sample, None, &|| true).unwrap();
    assert_eq!(induced.stop_reason, StopReason::Cut);
    check(&induced, &sample);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Strings without any sense to them still give an answer that agrees with all of them, and the same one each time.
    #[test]
    fn every_answer_agrees_with_all_strings(
        accepted in proptest::collection::btree_set("[a-c0-2.\\-]{0,6}", 1..10),
        rejected in proptest::collection::btree_set("[a-c0-2.\\-]{0,6}", 1..10),
    ) {
        let rejected: Vec<&str> = rejected.iter().filter(|word| !accepted.contains(*word)).map(String::as_str).collect();
        let accepted: Vec<&str> = accepted.iter().map(String::as_str).collect();
        let sample = sample(&accepted, &rejected);
        let induced = learn(&sample, None).unwrap();
        check(&induced, &sample);
        prop_assert_eq!(induced.expression, learn(&sample, None).unwrap().expression);
    }
}
