"""How fast PyTorch trains the model on one thread: forward, backward and Adam's update, in single precision.

    python3 -m venv .venv && .venv/bin/pip install torch numpy
    .venv/bin/python scripts/train_torch.py --mode batched-compiled

Modes, each in the fastest formulation we tried:

    eager              one restart
    compiled           one restart, the whole step compiled (needs a C++ compiler; compiling is not timed)
    batched            many restarts in one tensor program
    batched-compiled   the same, the whole step compiled

It prints one line of JSON: letters trained per second, times restarts, in the best and the median of ten slices of the
given time, and the mean loss over data and restarts before and after. The data are
{"alphabet": 4, "words": [[0, 1, ...], ...], "labels": [1, 0, ...]}, all words of one length; by default, random.
"""

import argparse
import json
import math
import statistics
import time

import torch
import torch.nn.functional as F

BATCH = 80
RATE, BETA_1, BETA_2, EPSILON = 0.005, 0.9, 0.999, 1e-8  # Adam's
SLOPE_BOUND = 0.01
SLICES = 10


# The model, as in docs/model.md, for a batch of words [length, BATCH].
#
# Parameters are P_T [t, k], P_N [t, i, k], s [k], or for the shape dfa P [t, i, k], f [k]. Restarts add an
# axis, the first or the last; `k` is the axis of A_k, counted from the end.


def beliefs(parameters, k):
    """T, E and r of docs/model.md."""
    if len(parameters) == 3:
        terminal, step, start = parameters
        return torch.sigmoid(terminal), torch.sigmoid(step), torch.softmax(start, k)
    transitions, accepting = parameters
    step = torch.softmax(transitions, k)
    return step.select(k - 1, 0), step, torch.sigmoid(accepting)


def read_one(terminal, step, last, words, clamp):
    """One restart: step is [t, i, k].

    The matrices of all letters are selected at once, by index. One-hot products for it are as fast when eager and a few
    per cent slower compiled; selecting letter by letter is slower by a tenth, one-hot products with u by a quarter.
    """
    matrices = step.index_select(0, words[1:].flatten()).view(len(words) - 1, -1, *step.shape[1:])
    u = terminal.index_select(0, words[0]).unsqueeze(1)
    for matrix in matrices.unbind():
        u = clamp(torch.bmm(u, matrix))
    return u.squeeze(1) @ last


def read_many(terminal, step, last, words, clamp):
    """Restarts as the first axis, step [R, t, i, k]: fastest in eager mode.

    Here it is best to multiply by the matrices of all letters and select from the products by index: one large product
    a restart instead of one small one a word. One-hot products take two to four times as long.
    """
    restarts, t, n, _ = step.shape
    matrices = step.transpose(1, 2).reshape(restarts, n, t * n)
    u = terminal.index_select(1, words[0])
    for product in (words[1:] + t * torch.arange(words.shape[1])).unbind():
        u = clamp(torch.bmm(u, matrices).view(restarts, -1, n).index_select(1, product))
    return torch.bmm(u, last.unsqueeze(2)).squeeze(2)


def read_many_last(terminal, step, last, words, clamp):
    """Restarts as the last axis, step [t, i, k, R]: fastest compiled, since the compiler vectorises over them.

    One-hot products take three times as long.
    """
    u = terminal.index_select(0, words[0])
    for letters in words[1:].unbind():
        u = clamp((u.unsqueeze(2) * step.index_select(0, letters)).sum(1))
    return (u * last).sum(1).t()


def negative_log(x):
    """-ln x, below the slope bound continued by its tangent there."""
    return F.relu(SLOPE_BOUND - x) / SLOPE_BOUND - torch.log(x.clamp(min=SLOPE_BOUND))


class Model:
    def __init__(self, mode, shape, n, t, restarts, mean):
        self.read, self.k = {"batched": (read_many, -1), "batched-compiled": (read_many_last, -2)}.get(mode, (read_one, -1))
        # In eager mode hardtanh is a tenth faster, with a single operation in its backward pass; compiled it is slower.
        nfa_clamp = (lambda z: z.clamp(max=1.0)) if "compiled" in mode else (lambda z: F.hardtanh(z, 0.0, 1.0))
        self.clamp = nfa_clamp if shape == "nfa" else (lambda z: z)

        def drawn(mean, *sizes):
            sizes = {"batched": (restarts, *sizes), "batched-compiled": (*sizes, restarts)}.get(mode, sizes)
            return torch.randn(sizes) + mean

        productions = [drawn(mean, t, n), drawn(mean, t, n, n)] if shape == "nfa" else [drawn(0.0, t, n, n)]
        self.parameters = [*productions, drawn(0.0, n)]

    def loss(self, parameters, words, labels):
        """The mean over the batch, summed over restarts."""
        o = self.read(*beliefs(parameters, self.k), words, self.clamp)
        return negative_log(torch.where(labels, o, 1.0 - o)).sum() / len(labels)


# Training. A step takes words and labels.


def eager_step(model):
    parameters = [parameter.requires_grad_() for parameter in model.parameters]
    adam = torch.optim.Adam(parameters, RATE, (BETA_1, BETA_2), EPSILON, fused=True)

    def step(words, labels):
        adam.zero_grad()
        model.loss(parameters, words, labels).backward()
        adam.step()

    return step


def compiled_step(model, how):
    """Loss, gradient and Adam in one graph: for one restart, five times as fast as compiling only the loss."""
    parameters = model.parameters
    first, second = ([torch.zeros_like(parameter) for parameter in parameters] for _ in range(2))
    steps = torch.zeros(())
    how = {"options": {"cpp_wrapper": True}} if how == "cpp-wrapper" else {"mode": how}

    @torch.compile(fullgraph=True, dynamic=False, **how)
    def step(words, labels):
        gradients = torch.func.grad(model.loss)(parameters, words, labels)
        steps.add_(1.0)
        rate, scale = RATE / (1.0 - BETA_1**steps), torch.sqrt(1.0 - BETA_2**steps)
        for parameter, m, v, gradient in zip(parameters, first, second, gradients):
            m.lerp_(gradient, 1.0 - BETA_1)
            v.lerp_(gradient.square(), 1.0 - BETA_2)
            parameter.sub_(rate * m / (v.sqrt() / scale + EPSILON))

    return step


def drawn_data(t=4, count=4000, length=16):
    """Whether the first letter occurs twice in a row, as in about half of the words."""
    words = torch.randint(t, (count, length))
    return t, words, ((words[:, 1:] == 0) & (words[:, :-1] == 0)).any(1)


def read_data(file):
    with open(file) as opened:
        data = json.load(opened)
    return data["alphabet"], torch.tensor(data["words"]), torch.tensor(data["labels"], dtype=torch.bool)


def epoch(words, labels):
    """Batches in random order, shuffled at once rather than gathered batch by batch; a smaller last one is dropped."""
    order = torch.randperm(len(words))[: len(words) // BATCH * BATCH]
    return zip(
        words[order].view(-1, BATCH, words.shape[1]).transpose(1, 2).contiguous().unbind(),
        labels[order].view(-1, BATCH).unbind(),
    )


def epochs(words, labels):
    while True:
        yield from epoch(words, labels)


@torch.no_grad()
def mean_loss(model, words, labels, restarts):
    return statistics.fmean(model.loss(model.parameters, *batch).item() / restarts for batch in epoch(words, labels))


def timed(step, batches, seconds):
    """Runs for this many seconds; returns the number of steps and the seconds they took."""
    steps, begin = 0, time.perf_counter()
    while (taken := time.perf_counter() - begin) < seconds:
        step(*next(batches))
        steps += 1
    return steps, taken


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mode", choices=["eager", "compiled", "batched", "batched-compiled"], required=True)
    parser.add_argument("--shape", choices=["nfa", "dfa"], default="nfa")
    parser.add_argument("--nonterminals", type=int, default=5)
    parser.add_argument("--restarts", type=int, default=64, help="in the batched modes")
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--data", help="a JSON file")
    # With a mean of 0, most restarts start with all beliefs at the clamp and never get a gradient.
    parser.add_argument("--mean", type=float, default=-2.0, help="productions of an nfa are drawn from N(mean, 1)")
    parser.add_argument(
        "--compile", choices=["default", "reduce-overhead", "max-autotune", "cpp-wrapper"], default="default"
    )
    arguments = parser.parse_args()

    torch.set_num_threads(1)
    torch.set_num_interop_threads(1)
    torch.set_flush_denormal(True)  # Subnormal beliefs would cost PyTorch a hundred times as much.
    torch.manual_seed(1)
    t, words, labels = read_data(arguments.data) if arguments.data else drawn_data()
    if len(words) < BATCH:
        parser.error(f"{len(words)} words are not a batch of {BATCH}")

    restarts = arguments.restarts if "batched" in arguments.mode else 1
    report = {
        "mode": arguments.mode,
        "shape": arguments.shape,
        "nonterminals": arguments.nonterminals,
        "restarts": restarts,
        "batch": BATCH,
        "length": words.shape[1],
        "torch": torch.__version__,
    }
    model = Model(arguments.mode, arguments.shape, arguments.nonterminals, t, restarts, arguments.mean)
    compiles = "compiled" in arguments.mode
    step = compiled_step(model, arguments.compile) if compiles else eager_step(model)
    loss_first = mean_loss(model, words, labels, restarts)
    batches = epochs(words, labels)
    try:
        step(*next(batches))
    except Exception as error:
        if not compiles:
            raise
        print(json.dumps(report | {"error": f"{type(error).__name__}: {error}"}))
        return
    timed(step, batches, 1.0)
    torch.compiler.set_stance(skip_guard_eval_unsafe=True)  # No shape changes from here on.
    slices = [timed(step, batches, arguments.seconds / SLICES) for _ in range(SLICES)]
    rates = [steps * restarts * BATCH * words.shape[1] / taken for steps, taken in slices]
    loss_last = mean_loss(model, words, labels, restarts)
    print(
        json.dumps(
            report
            | {
                "restart_letters_per_s": round(max(rates)),
                "median": round(statistics.median(rates)),
                "steps": sum(steps for steps, _ in slices),
                "loss_first": loss_first,
                "loss_last": loss_last,
            }
        )
    )


if __name__ == "__main__":
    main()
