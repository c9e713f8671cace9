//! Selects a few of many facts that together say everything.

use super::Fact;
use crate::dfa::Dfa;
use crate::equivalence::equivalent;
use crate::minimize::minimize;
use crate::product::{difference, intersection, union};

/// Maximum number of facts in an incomplete description; a longer list would not be read.
const MOST_FACTS: usize = 6;
/// Maximum number of facts that are tried together.
const MOST_TRIED: usize = 16;
/// Maximum number of transitions of the automata that are combined.
const MOST_TRANSITIONS: usize = 100_000;

/// The selected facts.
pub(super) struct Chosen {
    pub(super) facts: Vec<Fact>,
    /// Whether their intersection is the language.
    pub(super) complete: bool,
}

/// The best selection from the lists: a complete one with the fewest facts. Of equals, the first.
pub(super) fn select(language: &Dfa, lists: Vec<Vec<Fact>>) -> Chosen {
    let mut best: Option<Chosen> = None;
    for list in lists {
        let chosen = select_of(language, list);
        let is_better = |best: &Chosen| {
            (chosen.complete && !best.complete)
                || (chosen.complete == best.complete && best.complete && chosen.facts.len() < best.facts.len())
        };
        if best.as_ref().is_none_or(is_better) {
            best = Some(chosen);
        }
    }
    best.unwrap_or_else(|| select_of(language, Vec::new()))
}

/// Keeps each fact that does not follow from those kept before it, in order, until they determine the language. Then
/// drops, from last to first, the facts that follow from the others.
fn select_of(language: &Dfa, candidates: Vec<Fact>) -> Chosen {
    let select = Select { language, has_empty_word: language.accepts(&[]) };
    let mut allowed = Dfa::constant(language.alphabet().clone(), true);
    let mut kept: Vec<(Fact, Dfa)> = Vec::new();
    let mut complete = equivalent(&allowed, language);
    let is_bounded = |fact: &&Fact| matches!(fact, Fact::Length { most: Some(_), .. });
    let length = candidates.iter().find(is_bounded).cloned();
    for fact in candidates {
        if complete || kept.len() == MOST_TRIED {
            break;
        }
        let Some(automaton) = select.automaton(&fact) else { continue };
        if select.follows(&allowed, &automaton) {
            continue;
        }
        let Some(both) = select.both(&allowed, &automaton) else { continue };
        allowed = both;
        kept.push((fact, automaton));
        complete = equivalent(&allowed, language);
    }
    select.drop_what_follows(&mut kept);
    if complete {
        select.shorten(&mut kept);
    } else {
        kept.truncate(MOST_FACTS);
        if let Some(length) = length {
            select.keep(&mut kept, length);
        }
    }
    Chosen { facts: kept.into_iter().map(|(fact, _)| fact).collect(), complete }
}

struct Select<'a> {
    language: &'a Dfa,
    has_empty_word: bool,
}

impl Select<'_> {
    fn limit(&self) -> usize {
        MOST_TRANSITIONS / self.language.alphabet().len().max(1)
    }

    /// The words that satisfy the fact, plus the empty word if it is in the language. `None` if it is too large.
    fn automaton(&self, fact: &Fact) -> Option<Dfa> {
        let size = match fact {
            Fact::Length { least, most } | Fact::Count { least, most, .. } => most.unwrap_or(*least),
            _ => 0,
        };
        if size > self.limit() {
            return None;
        }
        let alphabet = self.language.alphabet();
        let automaton = fact.automaton(alphabet);
        if self.has_empty_word && fact.refuses_empty_word() {
            return union(&automaton, &Fact::OnlyEmptyWord.automaton(alphabet), self.limit()).ok();
        }
        Some(automaton)
    }

    fn both(&self, a: &Dfa, b: &Dfa) -> Option<Dfa> {
        intersection(a, b, self.limit()).ok().map(|both| minimize(&both).trimmed())
    }

    fn all<'d>(&self, automata: impl Iterator<Item = &'d Dfa>) -> Option<Dfa> {
        let everything = Dfa::constant(self.language.alphabet().clone(), true);
        automata.into_iter().try_fold(everything, |all, automaton| self.both(&all, automaton))
    }

    /// Whether every word of `from` is a word of `what`; false if that takes too long to decide.
    fn follows(&self, from: &Dfa, what: &Dfa) -> bool {
        difference(from, what, self.limit()).is_ok_and(|rest| rest.is_empty_language())
    }

    /// Drops, from last to first, each fact that follows from those before it and the remaining ones after it.
    fn drop_what_follows(&self, kept: &mut Vec<(Fact, Dfa)>) {
        let mut before = vec![Dfa::constant(self.language.alphabet().clone(), true)];
        for (_, automaton) in kept.iter() {
            let Some(both) = self.both(&before[before.len() - 1], automaton) else { return };
            before.push(both);
        }
        let mut after = before[0].clone();
        for i in (0..kept.len()).rev() {
            let others = self.both(&before[i], &after);
            if others.is_some_and(|others| self.follows(&others, &kept[i].1)) {
                kept.remove(i);
            } else {
                let Some(both) = self.both(&after, &kept[i].1) else { return };
                after = both;
            }
        }
    }

    /// Keeps this fact even if there is no room, in place of the last one: the length of words is the first thing to
    /// ask about a finite language, and the facts that implied it may have been cut off.
    fn keep(&self, kept: &mut Vec<(Fact, Dfa)>, fact: Fact) {
        let Some(automaton) = self.automaton(&fact) else { return };
        let Some(allowed) = self.all(kept.iter().map(|(_, automaton)| automaton)) else { return };
        if !self.follows(&allowed, &automaton) {
            kept.truncate(MOST_FACTS - 1);
            kept.push((fact, automaton));
            self.drop_what_follows(kept);
        }
    }

    /// Shortens prefixes, suffixes and factors as far as the facts still determine the language.
    fn shorten(&self, kept: &mut [(Fact, Dfa)]) {
        for i in 0..kept.len() {
            let (Fact::Begins(factor) | Fact::Ends(factor) | Fact::Contains(factor)) = &kept[i].0 else { continue };
            let shorter = |length: usize| match &kept[i].0 {
                Fact::Begins(factor) => Fact::Begins(factor[..length].to_vec()),
                Fact::Ends(factor) => Fact::Ends(factor[factor.len() - length..].to_vec()),
                _ => Fact::Contains(factor[..length].to_vec()),
            };
            let others = kept.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, (_, automaton))| automaton);
            let Some(others) = self.all(others) else { continue };
            let found = (1..factor.len()).map(shorter).find_map(|fact| {
                let automaton = self.automaton(&fact)?;
                let all = self.both(&others, &automaton)?;
                equivalent(&all, self.language).then_some((fact, automaton))
            });
            if let Some(found) = found {
                kept[i] = found;
            }
        }
    }
}
