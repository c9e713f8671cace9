"""Runs the learners of AALpy on sets with a known truth: `learn_peers.py FOLDER SECONDS [rpni] [edsm] [lstar]`.

FOLDER has the examples of each set as `NAME.dat` (Abbadingo) and its minimal automaton as `NAME.dfa.json`, as
written by `nerode experiment export PLAN --out FOLDER`. Prints one line of JSON per set and learner; a learner that
takes longer than SECONDS is stopped. RPNI and EDSM learn from the examples; L* queries the truth instead: membership
of words, and equivalence of an automaton, answered by a shortest separating word.
"""

import importlib.metadata
import json
import pathlib
import signal
import sys
import time
from collections import deque

from aalpy.base import SUL, Oracle
from aalpy.learning_algs import run_EDSM, run_Lstar, run_RPNI


class Table:
    """A complete deterministic automaton over the letters 0, 1, …; state 0 is initial."""

    def __init__(self, rows, accepts):
        self.rows, self.accepts = rows, accepts

    @classmethod
    def read(cls, path):
        file = json.loads(path.read_text())
        names = file["alphabet"]
        # The Abbadingo format numbers the letters in order, unless their names are already numbers.
        named = all(name.isascii() and name.isdigit() and name == str(int(name)) for name in names)
        numbers = [int(name) for name in names] if named else []
        if sorted(numbers) != list(range(len(names))):
            numbers = list(range(len(names)))
        order = sorted(range(len(names)), key=lambda column: numbers[column])
        accepting = set(file["accepting"])
        # In Nerode's files the initial state is 0, since states are numbered breadth-first.
        assert file["initial"] == 0
        rows = [[row[column] for column in order] for row in file["transitions"]]
        return cls(rows, [state in accepting for state in range(len(rows))])

    @classmethod
    def of_aalpy(cls, dfa, letters):
        states = [dfa.initial_state] + [state for state in dfa.states if state is not dfa.initial_state]
        number = {id(state): i for i, state in enumerate(states)}
        dead = len(states)
        step = lambda state, letter: number[id(state.transitions[letter])] if letter in state.transitions else dead
        rows = [[step(state, letter) for letter in range(letters)] for state in states] + [[dead] * letters]
        return cls(rows, [bool(state.is_accepting) for state in states] + [False])

    def minimal_states(self):
        """The number of states of the minimal complete automaton, by Moore's algorithm on the reachable part."""
        reached, waiting = {0}, [0]
        while waiting:
            for state in self.rows[waiting.pop()]:
                if state not in reached:
                    reached.add(state)
                    waiting.append(state)
        block, count = {state: self.accepts[state] for state in reached}, 0
        while len(set(block.values())) > count:
            count = len(set(block.values()))
            signatures = {state: (block[state], *(block[next] for next in self.rows[state])) for state in reached}
            numbers = {signature: i for i, signature in enumerate(dict.fromkeys(signatures.values()))}
            block = {state: numbers[signatures[state]] for state in reached}
        return count


def separating_word(a, b):
    """A shortest word that only one accepts, or None: Hopcroft and Karp's algorithm, breadth-first."""
    leader = {}

    def find(state):
        while leader.setdefault(state, state) != state:
            leader[state] = leader[leader[state]]
            state = leader[state]
        return state

    waiting = deque([(0, 0, ())])
    leader[find((1, 0))] = find((0, 0))
    while waiting:
        p, q, word = waiting.popleft()
        if a.accepts[p] != b.accepts[q]:
            return word
        for letter, (p_next, q_next) in enumerate(zip(a.rows[p], b.rows[q])):
            left, right = find((0, p_next)), find((1, q_next))
            if left != right:
                leader[right] = left
                waiting.append((p_next, q_next, (*word, letter)))
    return None


def read_examples(path):
    """The number of letters and the distinct labelled words, shortest first: AALpy merges in the order of its rows."""
    lines = path.read_text().splitlines()
    letters = int(lines[0].split()[1])
    words = {}
    for line in lines[1:]:
        label, _, *word = map(int, line.split())
        if label >= 0:
            words[tuple(word)] = label == 1
    return letters, [[word, words[word]] for word in sorted(words, key=lambda word: (len(word), word))]


class Truth(SUL):
    """Answers membership queries, and records the words asked about."""

    def __init__(self, truth):
        super().__init__()
        self.truth, self.told = truth, set()

    def pre(self):
        self.state, self.word = 0, ()

    def post(self):
        pass

    def step(self, letter):
        if letter is not None:
            self.state, self.word = self.truth.rows[self.state][letter], (*self.word, letter)
        self.told.add(self.word)
        return self.truth.accepts[self.state]


class Exactly(Oracle):
    """Answers equivalence queries."""

    def find_cex(self, hypothesis):
        self.num_queries += 1
        return separating_word(self.sul_truth, Table.of_aalpy(hypothesis, len(self.alphabet)))


def lstar(truth, letters):
    asked = Truth(truth)
    oracle = Exactly(list(range(letters)), asked)
    oracle.sul_truth = truth
    dfa = run_Lstar(list(range(letters)), asked, oracle, "dfa", print_level=0)
    # A query of AALpy asks for the labels of all prefixes of a word: `labels` counts words, `queries` queries.
    queries = {"queries": asked.num_queries, "labels": len(asked.told), "equivalence_queries": oracle.num_queries}
    return dfa, queries


def limited(seconds, learn):
    """The result of `learn` and its time in seconds, or None for both if it was stopped."""
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    begin = time.perf_counter()
    signal.alarm(seconds)
    try:
        learned = learn()
        signal.alarm(0)
        return learned, time.perf_counter() - begin
    except KeyboardInterrupt:
        return None, None


def main():
    folder, limit = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    for path in sorted(folder.glob("*.dat")):
        letters, examples = read_examples(path)
        truth = Table.read(path.with_suffix(".dfa.json"))
        learners = {
            "rpni": lambda: (run_RPNI(examples, "dfa", print_info=False), {}),
            "edsm": lambda: (run_EDSM(examples, "dfa", print_info=False), {}),
            "lstar": lambda: lstar(truth, letters),
        }
        for name in sys.argv[3:] or ["rpni", "edsm"]:
            result = {"set": path.stem, "learner": name, "version": importlib.metadata.version("aalpy")}
            learned, result["seconds"] = limited(limit, learners[name])
            if learned is None:
                result |= {"limit_seconds": limit, "states": None, "exact": False}
            else:
                dfa, more = learned
                table = Table.of_aalpy(dfa, letters)
                result |= {"states": table.minimal_states(), "exact": separating_word(truth, table) is None, **more}
            print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
