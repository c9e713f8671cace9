"""The model written in PyTorch directly from the paper's formulas, and its results on some sixty small cases.

Derivatives are computed by PyTorch. The Rust reference is checked against the file written here; neither is a port of
the other. Run it from the root of the repository:

    python3 -m venv .venv && .venv/bin/pip install torch numpy
    .venv/bin/python scripts/reference_model.py

It writes testdata/model/reference.json, the same each time up to the last digit of torch's exponentials. Tensors are
in the paper's order: P_T [n', t], P_N [n', n', t] with A_k -> A_i a_j at [k, i, j], s [n']; for the deterministic shape
transitions [to k, from i, letter j] and acceptance [n']. Letters, and A_1 of the deterministic shape, count from 0.
"""

import json
import math
import pathlib
import random

import torch

OUTPUT = pathlib.Path(__file__).resolve().parent.parent / "testdata" / "model" / "reference.json"


# The model.


def one_hot(letter, t):
    v = torch.zeros(t, dtype=torch.float64)
    v[letter] = 1.0
    return v


def nfa(parameters, temperature):
    """The paper's model: how it reads words, and the entries that are read off as productions."""
    terminal = torch.sigmoid(parameters["P_T"] / temperature)
    nonterminal = torch.sigmoid(parameters["P_N"] / temperature)
    start = torch.softmax(parameters["s"], dim=0)

    def first(v):
        return terminal @ v

    def following(u, v):
        return torch.stack([torch.dot(matrix @ v, u) for matrix in nonterminal])

    return first, following, start, torch.cat([terminal.flatten(), nonterminal.flatten()])


def dfa(parameters, temperature):
    """The deterministic model: a letter leads from a state to one state; the initial state is the first."""
    transitions = torch.softmax(parameters["transitions"] / temperature, dim=0)
    accepting = torch.sigmoid(parameters["acceptance"])
    begin = one_hot(0, len(accepting))

    def following(u, v):
        return torch.einsum("kij,i,j->k", transitions, u, v)

    def first(v):
        return following(begin, v)

    return first, following, accepting, torch.cat([transitions.flatten(), accepting])


def clamp(z):
    """max(min(1, z), 0), with the derivative 1 at the bounds themselves.

    It is torch.clamp except for that derivative: 1 in releases since 2018 (pytorch/pytorch#7049) and 0 in 2.15.
    """
    clamped = torch.where(z > 1.0, torch.ones_like(z), torch.where(z < 0.0, torch.zeros_like(z), z))
    assert torch.equal(clamped, torch.clamp(z, 0.0, 1.0))
    return clamped


def negative_log(x, bound):
    """-ln x, below the bound continued by its tangent there."""
    tangent = -math.log(bound) + (bound - x) / bound
    # The logarithm needs a positive argument even where the tangent is used: PyTorch differentiates both.
    harmless = torch.where(x < bound, torch.ones_like(x), x)
    return torch.where(x < bound, tangent, -torch.log(harmless))


def evaluate(case):
    """Adds the model's results to a case."""
    settings = case["settings"]
    parameters = {
        name: torch.tensor(values, dtype=torch.float64, requires_grad=True)
        for name, values in case["parameters"].items()
    }
    shape = {"nfa": nfa, "dfa": dfa}[case["shape"]]
    first, following, last, entries = shape(parameters, settings["temperature"])
    bound = settings["slope_bound"]
    clamps = case["shape"] == "nfa" and settings["clamp"]
    cut = bounded = 0

    outputs, losses, mass = [], [], 0.0
    for example in case["examples"]:
        u = None
        for letter in example["word"]:
            v = one_hot(letter, case["letters"])
            z = first(v) if u is None else following(u, v)
            u = clamp(z) if clamps else z
            cut += int((z > 1.0).sum()) if clamps else 0
        o = last @ u
        accepted, rejected = example["accepted"], example["rejected"]
        losses.append(accepted * negative_log(o, bound) + rejected * negative_log(1.0 - o, bound))
        mass += accepted + rejected
        bounded += int(accepted > 0 and o < bound) + int(rejected > 0 and 1.0 - o < bound)
        outputs.append(o.item())

    prediction = torch.stack(losses).sum() / mass
    sharpening = (1.0 - (2.0 * entries - 1.0) ** 2).mean()
    production_use = entries.mean()
    total = prediction + settings["beta"] * sharpening + settings["gamma"] * production_use
    total.backward()
    return case | {
        "cut_by_clamp": cut,
        "beyond_slope_bound": bounded,
        "outputs": outputs,
        "prediction": prediction.item(),
        "sharpening": sharpening.item(),
        "production_use": production_use.item(),
        "total": total.item(),
        "gradients": {name: tensor.grad.tolist() for name, tensor in parameters.items()},
    }


# The cases.


def drawn(rng, shape, mean, spread):
    """Normal variates with three decimals, to keep the file small."""
    if not shape:
        return round(rng.gauss(mean, spread), 3)
    return [drawn(rng, shape[1:], mean, spread) for _ in range(shape[0])]


def drawn_parameters(rng, shape, n, t, mean, spread):
    if shape == "nfa":
        return {
            "P_T": drawn(rng, (n, t), mean, spread),
            "P_N": drawn(rng, (n, n, t), mean, spread),
            "s": drawn(rng, (n,), 0.0, 1.0),
        }
    return {"transitions": drawn(rng, (n, n, t), 0.0, spread), "acceptance": drawn(rng, (n,), 0.0, 2.0)}


def drawn_examples(rng, t, lengths):
    """One word of each length; every third is repeated, some are labelled several times or both ways."""
    examples = []
    for position, length in enumerate(lengths):
        word = [rng.randrange(t) for _ in range(length)]
        label = rng.randrange(2)
        examples.append({"word": word, "accepted": label, "rejected": 1 - label})
        if position % 3 == 0:
            examples.append({"word": word, "accepted": rng.choice([0, 1, 2.5]), "rejected": rng.choice([1, 3])})
    return examples


def settings(number, clamp):
    beta, gamma = [(0, 0), (0.05, 0), (0, 0.02), (0.05, 0.01), (1.5, 0.7)][number % 5]
    return {
        "beta": beta,
        "gamma": gamma,
        "temperature": [1, 1, 0.5, 2.25][number % 4],
        "clamp": clamp,
        "slope_bound": [1e-6, 0.001, 0.3][number % 3],
    }


def case(name, shape, n, t, settings, parameters, examples):
    return {
        "name": name,
        "shape": shape,
        "nonterminals": n,
        "letters": t,
        "settings": settings,
        "parameters": parameters,
        "examples": examples,
    }


def drawn_cases():
    sizes = [(1, 1), (1, 3), (2, 2), (2, 5), (3, 1), (3, 4), (5, 3), (5, 6), (8, 2), (16, 1), (3, 26)]
    kinds = [
        # shape, clamped, mean of the logits given n', their spread, word lengths
        ("nfa", True, lambda n: 0.5, 1.5, [1, 2, 3, 5, 8, 13, 20]),
        ("nfa", True, lambda n: -math.log(n) - 0.5, 2.0, [1, 1, 2, 4, 9, 19]),
        # Without the clamp, beliefs grow with the length; outputs exceed 1 but stay moderate.
        ("nfa", False, lambda n: 0.7 - math.log(n), 1.0, [1, 2, 3, 4, 6, 9]),
        ("dfa", True, lambda n: 0.0, 2.0, [1, 2, 3, 5, 8, 13, 20]),
        ("dfa", False, lambda n: 0.0, 5.0, [1, 2, 2, 4, 7, 17]),
    ]
    for size, (n, t) in enumerate(sizes):
        for kind, (shape, clamp, mean, spread, lengths) in enumerate(kinds):
            rng = random.Random(100 * size + kind)
            parameters = drawn_parameters(rng, shape, n, t, mean(n), spread)
            examples = drawn_examples(rng, t, lengths)
            # Each kind is combined with all settings, at different sizes.
            yield case(f"drawn {size}.{kind}", shape, n, t, settings(size + kind, clamp), parameters, examples)


def labelled(words):
    return [
        {"word": ["abc".index(c) for c in word], "accepted": int(label), "rejected": int(not label)}
        for word, label in words.items()
    ]


def chosen_cases():
    # Non-terminals A, C over a, b, c, with C the start: the grammar of (a|b)*cc* as in the paper's figure, and an
    # ambiguous variant with C -> b, C -> Ab, C -> Cb, C -> Ca.
    present, absent = 3.0, -4.0
    plain = {"Aa", "Ab", "AAa", "AAb", "Cc", "CAc", "CCc"}
    ambiguous = plain | {"Cb", "CAb", "CCb", "CCa"}
    for name, productions in [("paper", plain), ("paper, ambiguous", ambiguous)]:
        logit = lambda production: present if production in productions else absent
        parameters = {
            "P_T": [[logit(k + j) for j in "abc"] for k in "AC"],
            "P_N": [[[logit(k + i + j) for j in "abc"] for i in "AC"] for k in "AC"],
            "s": [absent, present],
        }
        examples = labelled({"abb": False, "abcc": True, "c": True, "bbacc": True, "bbac": True, "acb": False})
        yield case(name, "nfa", 2, 3, settings(3, True), parameters, examples)

    # With four non-terminals and all logits 0 the second sum is 4 * 0.5 * 0.5 = 1: the clamp's boundary.
    # All further sums are 2. Outputs of 1 reach the slope bound, accepted or not.
    n, t = 4, 2
    zeros = {"P_T": [[0.0] * t] * n, "P_N": [[[0.0] * t] * n] * n, "s": [0.0] * n}
    for clamp in [True, False]:
        for length in [2, 3]:
            examples = [
                {"word": [0, 1, 1][:length], "accepted": 1, "rejected": 0},
                {"word": [1, 0, 0][:length], "accepted": 0, "rejected": 1},
            ]
            name = f"boundary of the clamp, {length} letters"
            yield case(name, "nfa", n, t, settings(3, clamp), zeros, examples)


def main():
    torch.set_num_threads(1)
    cases = [evaluate(case) for case in [*drawn_cases(), *chosen_cases()]]
    assert sum(case["cut_by_clamp"] > 0 for case in cases) >= 10, "the clamp is to be engaged"
    assert sum(case["beyond_slope_bound"] > 0 for case in cases) >= 10, "the slope bound is to be met"
    OUTPUT.parent.mkdir(parents=True, exist_ok=True)
    with OUTPUT.open("w") as file:
        # One case per line; Python writes floats with enough digits to restore them exactly.
        file.write('{"made_by":"scripts/reference_model.py","torch":%s,"cases":[\n' % json.dumps(torch.__version__))
        file.write(",\n".join(json.dumps(case, separators=(",", ":")) for case in cases))
        file.write("\n]}\n")


if __name__ == "__main__":
    main()
