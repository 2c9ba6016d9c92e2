"""Random programs of affine loops whose tasks read and write ranges, for juggler-cc."""

import random

LENGTH = 60  # elements of each array
ARRAYS = ("x", "y", "z")

HEAD = """\
#include <stdio.h>
#define LENGTH 60
typedef unsigned long word;
static void blend(word *to, const word *from, int n, word by)
{
    #pragma omp parallel for
    for (int k = 0; k < n; k++)
        to[k] = to[k] * 3 + from[k] + by;
}
static void chain(word *to, const word *from, int n, word by)
{
    for (int k = 0; k < n; k++)
        to[k] = to[k] * 5 + from[n - 1 - k] * (k + by);
}
"""


def _affine(rng, variables, most):
    """An index below `most` that depends on the loops."""
    terms = [f"{rng.randint(1, 9)} * {name}" for name in variables if rng.random() < 0.8]
    terms.append(str(rng.randint(0, 30)))
    return f"({' + '.join(terms)}) % {most}"


def _task(rng, variables, blocks, indent):
    """With `blocks`, two ranges are the same or disjoint, as OpenMP demands."""
    to, source = rng.choice(ARRAYS), rng.choice(ARRAYS)
    size = blocks or rng.randint(1, 9)
    count = LENGTH // size if blocks else LENGTH - size + 1
    scale = f" * {size}" if blocks else ""
    at = f"({_affine(rng, variables, count)}){scale}"
    of = f"({_affine(rng, variables, count)}){scale}"
    by = rng.choice([*variables, str(rng.randint(1, 9))])
    lines = [f"int at = {at}, of = {of};"]
    depend = f"depend(in: {source}[of:{size}]) depend(inout: {to}[at:{size}])"
    own = rng.choice(["", "firstprivate(at, of) ", "untied "])
    lines.append(f"#pragma omp task {own}{depend}")
    parallel = to != source and rng.random() < 0.6
    shape = rng.choice(["call", "loop", "block"])
    if shape == "call":
        lines.append(f"{'blend' if parallel else 'chain'}({to} + at, {source} + of, {size}, {by});")
    elif shape == "loop" or not parallel:
        lines.append(f"for (int k = 0; k < {size}; k++)")
        lines.append(f"    {to}[at + k] += {source}[of + k] * (k + 2) + {by};")
    else:
        lines += [
            "{",
            f"    word all = {by};",
            "    #pragma omp parallel for reduction(+: all)",
            f"    for (int k = 0; k < {size}; k++) all += {source}[of + k] * (k + 1);",
            f"    {to}[at] ^= all;",
            "    #pragma omp parallel for",
            f"    for (int k = {size} - 1; k >= 0; k--) {to}[at + k] += k;",
            f"    blend({to} + at, {source} + of, {size}, all);",
            "}",
        ]
    return ["{", *("    " + line for line in lines), "}"] if indent else lines


def _loops(rng, variables, depth, blocks):
    if depth == 0:
        lines = _task(rng, variables, blocks, True)
        if rng.random() < 0.3:
            lines += _task(rng, variables, blocks, True)
        return lines
    name = "ijm"[len(variables)]
    inner = _loops(rng, [*variables, name], depth - 1, blocks)
    if rng.random() < 0.3:
        inner = [f"if ({name} % {rng.randint(2, 3)} == 0) {{", *("    " + x for x in inner), "}"]
        inner += _task(rng, [*variables, name], blocks, True)
    first = variables[-1] if variables and rng.random() < 0.4 else "0"
    last = rng.randint(3, 6)
    step = rng.choice(["++", "++", " += 2"])
    head = f"for (int {name} = {first}; {name} < {last}; {name}{step}) {{"
    if rng.random() < 0.2:
        head = f"for (int {name} = {last}; {name} >= {first}; {name}--) {{"
    return [head, *("    " + line for line in inner), "}"]


def _function(number, seed, blocks):
    rng = random.Random(seed)
    size = rng.choice([2, 3, 4, 5, 6, 10, 12]) if blocks else 0
    lines = []
    for _ in range(rng.randint(1, 2)):
        lines += _loops(rng, [], rng.randint(1, 3), size)
    body = "\n".join("        " + line for line in lines)
    return (
        f"/* seed {seed} */\n"
        f"static void run_{number}(word *x, word *y, word *z)\n{{\n"
        "    #pragma omp target parallel map(tofrom: x[0:LENGTH], y[0:LENGTH], z[0:LENGTH])\n"
        f"    #pragma omp single\n    {{\n{body}\n    }}\n}}\n"
    )


def program(seeds, blocks):
    """One source with one region per seed, which prints one line each."""
    seeds = list(seeds)
    functions = "".join(_function(k, seed, blocks) for k, seed in enumerate(seeds))
    calls = "".join(
        "    for (int k = 0; k < LENGTH; k++) { x[k] = k + 1; y[k] = k * k; z[k] = 7 * k; }\n"
        f"    run_{k}(x, y, z);\n    print({seed}, x, y, z);\n"
        for k, seed in enumerate(seeds)
    )
    return (
        HEAD
        + functions
        + "static void print(int seed, const word *x, const word *y, const word *z)\n"
        "{\n    word all = 0;\n    for (int k = 0; k < LENGTH; k++)\n"
        "        all = all * 31 + x[k] + 3 * y[k] + 7 * z[k];\n"
        '    printf("%d %lu %lu %lu %lu\\n", seed, all, x[3], y[17], z[41]);\n}\n'
        "int main(void)\n{\n    static word x[LENGTH], y[LENGTH], z[LENGTH];\n"
        f"{calls}    return 0;\n}}\n"
    )
