"""Runs EDSM of AALpy on strings: `learn_strings.py SECONDS FILE.jsonl …`.

Each line of a file is an object with a `word` and its `label`, 1 or 0; letters are characters. Prints one line of JSON
per file, with the automaton in the format of `dfa.json`: a letter never seen in a state is rejected there. Learning
that takes longer than SECONDS is stopped.
"""

import importlib.metadata
import json
import pathlib
import sys

from aalpy.learning_algs import run_EDSM

from learn_peers import Table, limited


def main():
    limit = int(sys.argv[1])
    for path in map(pathlib.Path, sys.argv[2:]):
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        alphabet = sorted({letter for row in rows for letter in row["word"]})
        number = {letter: i for i, letter in enumerate(alphabet)}
        examples = [[tuple(number[letter] for letter in row["word"]), row["label"] == 1] for row in rows]
        dfa, seconds = limited(limit, lambda: run_EDSM(examples, "dfa", print_info=False))
        result = {"file": str(path), "version": importlib.metadata.version("aalpy"), "seconds": seconds, "automaton": None}
        if dfa is not None:
            table = Table.of_aalpy(dfa, len(alphabet))
            accepting = [state for state, accepts in enumerate(table.accepts) if accepts]
            result["automaton"] = {
                "alphabet": alphabet, "initial": 0, "accepting": accepting, "transitions": table.rows,
            }
        print(json.dumps(result), flush=True)


main()
