"""Times another library minimising the automaton in a dfa.json file: `minimize_peers.py PEER SECONDS FILE`."""

import importlib.metadata
import json
import signal
import sys
import time


def automata_lib(file):
    from automata.fa.dfa import DFA

    letters = file["alphabet"]
    dfa = DFA(
        states=set(range(len(file["transitions"]))),
        input_symbols=set(letters),
        transitions={q: dict(zip(letters, row)) for q, row in enumerate(file["transitions"])},
        initial_state=file["initial"],
        final_states=set(file["accepting"]),
    )
    return lambda: len(dfa.minify(retain_names=False).states)


def aalpy(file):
    from aalpy.automata import Dfa, DfaState

    accepting = set(file["accepting"])
    states = [DfaState(f"s{q}", q in accepting) for q in range(len(file["transitions"]))]
    for state, row in zip(states, file["transitions"]):
        state.transitions = {letter: states[q] for letter, q in zip(file["alphabet"], row)}
    dfa = Dfa(states[file["initial"]], states)

    def work():
        dfa.minimize()
        return len(dfa.states)

    return work


def main():
    peer, limit, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    with open(path) as source:
        file = json.load(source)
    prepare = {"automata-lib": automata_lib, "aalpy": aalpy}[peer]
    runs = []
    # The best of three if it is fast; stopped if it takes too long.
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.alarm(limit)
    try:
        while len(runs) < 3 and sum(runs) < 10:
            # Prepare again each time: AALpy minimises in place.
            work = prepare(file)
            begin = time.perf_counter()
            minimal = work()
            runs.append(time.perf_counter() - begin)
    except KeyboardInterrupt:
        minimal = None
    signal.alarm(0)
    print(
        json.dumps(
            {
                "peer": peer,
                "version": importlib.metadata.version(peer),
                "states": len(file["transitions"]),
                "minimal": minimal,
                "seconds": min(runs, default=None),
                "limit_seconds": limit,
            }
        )
    )


main()
