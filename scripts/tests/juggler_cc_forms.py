"""Forms of OpenMP that juggler-cc takes, and forms that it refuses."""

# A function each: what it does to a[0] to a[n - 1], under juggler-cc and under gcc -fopenmp. `step`
# adds a parallel loop's work to a range, `mark` serial work to a place.
HEAD = """\
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define N 24
#define HALF (N / 2)
#define TWICE(x) ((x) * 2)
struct pair { double low; int count; };
enum mode { plain, doubled };
static const int eighth = 3;
static double table[4] = {0.5, 1.5, 2.5, 3.5};
static double factor = 2;
static int rounds = 2;
static double grid[4][6];
static void step(double *p, int n, double by)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        p[i] = p[i] * 0.75 + by + i;
}
static void mark(double *p, double by)
{
    p[0] = p[0] * 1.25 + by;
}
#define STEP(p) step(p, 6, 1)
static double weighed(const double *p, int i) { return p[i] * table[i % 4] * factor; }
"""

REGION = """\
    #pragma omp target parallel map(tofrom: a[0:n])
    #pragma omp single
    {{
{}
    }}
"""


def _in_region(text):
    return REGION.format(text)


CHAIN = """\
        for (int i = 0; i < n; i += 6) {{
            #pragma omp task {} depend(inout: a[i:6])
            step(a + i, 6, i);
            #pragma omp task depend(inout: a[i:6])
            mark(a + i, 1);
        }}"""

BODY = """\
        for (int i = 0; i < n; i += 6) {{
            #pragma omp task depend(inout: a[i:6])
            {{
{}
            }}
        }}"""


def _body(text):
    return _in_region(BODY.format(text))


def _after_task(text):
    return _in_region(
        f"        #pragma omp task depend(inout: a[0:n])\n        step(a, n, 1);\n{text}"
    )


ACCEPTED = {
    "plain": _in_region(CHAIN.format("")),
    "untied": _in_region(CHAIN.format("untied mergeable")),
    "priority": _in_region(CHAIN.format("priority(i)")),
    "final": _in_region(CHAIN.format("final(i > 6)")),
    "default_shared": _in_region(CHAIN.format("default(shared) firstprivate(i)")),
    "if_false": _in_region(CHAIN.format("if(0)")),
    "if_true": _in_region(CHAIN.format("if(1)")),
    "if_computed": _in_region(CHAIN.format("if(i > 6)")),
    "several_depends": _in_region(
        "        for (int i = 6; i < n; i += 6) {\n"
        "            #pragma omp task depend(in: a[i - 6:6], a[0:1]) depend(out: a[i:6])\n"
        "            for (int k = 0; k < 6; k++) a[i + k] = a[i - 6 + k] + a[0];\n        }"
    ),
    "element": _in_region(
        "        for (int i = 1; i < n; i++) {\n"
        "            #pragma omp task depend(in: a[i - 1]) depend(out: a[i])\n"
        "            a[i] = a[i] + 0.5 * a[i - 1];\n        }"
    ),
    "dereferenced": _in_region(
        "        for (int i = 1; i < n; i++) {\n"
        "            double *p = a + i;\n"
        "            #pragma omp task firstprivate(p) depend(in: *(p - 1)) depend(inout: *p)\n"
        "            *p += 0.5 * p[-1];\n        }"
    ),
    "no_depend": _in_region(
        "        for (int i = 0; i < n; i += 6) {\n            #pragma omp task\n"
        "            step(a + i, 6, i);\n        }"
    ),
    "macro_bounds": _in_region(
        "        #pragma omp task depend(inout: a[0:HALF])\n        step(a, HALF, TWICE(2));\n"
        "        #pragma omp task depend(inout: a[HALF:HALF], a[0:1])\n"
        "        { a[HALF] += a[0]; a[HALF + 1] += TWICE(a[0]); }"
    ),
    "modified_own": _in_region(
        "        for (int i = 0; i < n; i += 6) {\n            int left = 6;\n"
        "            #pragma omp task firstprivate(left) depend(inout: a[i:6])\n"
        "            while (left > 0) a[i + --left] += left;\n        }"
    ),
    "private_in_task": _in_region(
        "        int x = 0;\n        for (int i = 0; i < n; i++) {\n"
        "            #pragma omp task private(x) depend(inout: a[i])\n"
        "            { x = i * 2; a[i] += x; }\n        }"
    ),
    "struct_value": _in_region(
        "        struct pair own = {1.5, 3};\n        for (int i = 0; i < n; i++) {\n"
        "            own.count = i;\n"
        "            #pragma omp task firstprivate(own) depend(inout: a[i])\n"
        "            a[i] += own.low * own.count;\n        }"
    ),
    "enumeration": _in_region(
        "        enum mode how = doubled;\n        for (int i = 0; i < n; i++) {\n"
        "            #pragma omp task firstprivate(how) depend(inout: a[i])\n"
        "            a[i] *= how == doubled ? 2 : 1;\n        }"
    ),
    "constant": _body("                a[i] += eighth * 2;"),
    "global_value": _body("                a[i] += weighed(a, i);"),
    "switch_serial": _body(
        "                switch (i % 4) { case 0: a[i] += 1; break; default: a[i] += 2; }"
    ),
    "loop_down": _body(
        "                #pragma omp parallel for\n"
        "                for (int k = 5; k >= 0; k--) a[i + k] += k;"
    ),
    "loop_stepped": _body(
        "                #pragma omp parallel for\n"
        "                for (int k = 1; k <= 5; k += 2) a[i + k] += k;"
    ),
    "loop_reversed_test": _body(
        "                int k;\n                #pragma omp parallel for\n"
        "                for (k = 0; 6 > k; k = k + 1) a[i + k] += k;"
    ),
    "loop_short": _body(
        "                #pragma omp parallel for\n"
        "                for (signed char k = 100; k < 106; k++) a[i + k - 100] += k;"
    ),
    "loop_unsigned": _body(
        "                #pragma omp parallel for\n"
        "                for (unsigned k = 6; k > 0; k -= 2) a[i + k - 1] += k;"
    ),
    "collapse_three": _body(
        "                #pragma omp parallel for collapse(3) schedule(dynamic)\n"
        "                for (int x = 0; x < 2; x++)\n"
        "                    for (int y = 0; y < 1; y++)\n"
        "                        for (int z = 2; z >= 0; z--)\n"
        "                            a[i + x * 3 + z] += x + 2 * y + 4 * z;"
    ),
    "reduction_sum": _body(
        "                double all = 1;\n"
        "                #pragma omp parallel for reduction(+: all)\n"
        "                for (int k = 1; k < 6; k++) all += a[i + k];\n"
        "                a[i] = all;"
    ),
    "reduction_min_max": _body(
        "                double low = a[i], high = a[i];\n"
        "                #pragma omp parallel for reduction(min: low) reduction(max: high)\n"
        "                for (int k = 0; k < 6; k++) {\n"
        "                    if (a[i + k] < low) low = a[i + k];\n"
        "                    if (a[i + k] > high) high = a[i + k];\n                }\n"
        "                a[i] = low; a[i + 1] = high;"
    ),
    "loop_private": _body(
        "                double x, scale = 3;\n"
        "                #pragma omp parallel for private(x) firstprivate(scale) num_threads(2)\n"
        "                for (int k = 0; k < 6; k++) { x = a[i + k]; a[i + k] = x * scale; }"
    ),
    "loop_simd": _body(
        "                #pragma omp parallel for simd\n"
        "                for (int k = 0; k < 6; k++) a[i + k] += k;"
    ),
    "simd": _body(
        "                #pragma omp simd\n"
        "                for (int k = 0; k < 6; k++) a[i + k] += k;"
    ),
    "serial_between_loops": _body(
        "                double first = a[i];\n                for (int t = 0; t < 3; t++) {\n"
        "                    a[i] = first * t;\n"
        "                    #pragma omp parallel for\n"
        "                    for (int k = 1; k < 6; k++) a[i + k] += a[i];\n"
        "                    if (a[i + 1] > 100) first += a[i + 2];\n"
        "                    else a[i + 3] -= 1;\n"
        "                }\n                step(a + i, 6, first);"
    ),
    "map_to_from": """\
    double out[N], in[N];
    for (int i = 0; i < n; i++) in[i] = a[i];
    #pragma omp target parallel map(to: in) map(from: out[0:n])
    #pragma omp single
    for (int i = 0; i < n; i++) {
        #pragma omp task depend(in: in[i]) depend(out: out[i])
        out[i] = in[i] * 2;
    }
    for (int i = 0; i < n; i++) a[i] = out[i];
""",
    "map_alloc": """\
    double *scratch = malloc(n * sizeof *scratch);
    #pragma omp target parallel map(tofrom: a[0:n]) map(alloc: scratch[0:n])
    #pragma omp single
    for (int i = 0; i < n; i++) {
        #pragma omp task depend(in: a[i]) depend(out: scratch[i])
        scratch[i] = a[i] + 1;
        #pragma omp task depend(in: scratch[i]) depend(out: a[i])
        a[i] = scratch[i] * 3;
    }
    free(scratch);
""",
    "map_part": """\
    #pragma omp target parallel map(tofrom: a[6:n - 6])
    #pragma omp single
    for (int i = 6; i < n; i += 6) {
        #pragma omp task depend(inout: a[i:6])
        step(a + i, 6, i);
    }
""",
    "map_scalar": """\
    double sum = 3;
    #pragma omp target parallel map(to: a[0:n]) map(tofrom: sum)
    #pragma omp single
    for (int i = 0; i < n; i++) {
        #pragma omp task depend(in: a[i]) depend(inout: sum)
        sum += a[i];
    }
    a[0] = sum;
""",
    "map_two_dimensions": """\
    for (int i = 0; i < n; i++) grid[i / 6][i % 6] = a[i];
    #pragma omp target parallel map(tofrom: grid)
    #pragma omp single
    {
        for (int i = 0; i < 4; i += 2)
            for (int j = 0; j < 6; j += 3) {
                #pragma omp task depend(inout: grid[i:2][j:3])
                for (int k = 0; k < 2; k++) grid[i + k][j] += grid[i][j + 1];
                #pragma omp task depend(inout: grid[i:2][j:3])
                grid[i][j + 2] += grid[i + 1][j];
            }
        #pragma omp taskwait
        for (int i = 0; i < 3; i++) {
            #pragma omp task depend(inout: grid[i][0:6]) depend(in: grid[i + 1][:])
            grid[i][2] += grid[i + 1][5 - i];
        }
    }
    for (int i = 0; i < n; i++) a[i] = grid[i / 6][i % 6];
""",
    "map_pointer_to_rows": """\
    double (*rows)[6] = (double (*)[6])a;
    #pragma omp target parallel map(tofrom: rows[0:4])
    #pragma omp single
    for (int i = 1; i < 4; i++) {
        #pragma omp task depend(in: rows[i - 1][0:6]) depend(inout: rows[i][0:6])
        for (int j = 0; j < 6; j++) rows[i][j] += rows[i - 1][j];
    }
""",
    "array_not_named": """\
    double own[N];
    for (int i = 0; i < n; i++) own[i] = a[i];
    #pragma omp target parallel
    #pragma omp single
    for (int i = 1; i < n; i++) {
        #pragma omp task depend(in: own[i - 1]) depend(inout: own[i])
        own[i] += own[i - 1];
    }
    for (int i = 0; i < n; i++) a[i] = own[i];
""",
    "scalar_token": """\
    int turn;
    #pragma omp target parallel map(tofrom: a[0:n]) private(turn)
    #pragma omp single
    for (int i = 0; i < n; i += 6) {
        #pragma omp task depend(inout: turn)
        { a[0] = a[0] * 1.5 + i; a[i + 1] += a[0]; }
    }
""",
    "token_outside": """\
    char *token = malloc(1);
    #pragma omp target parallel map(tofrom: a[0:n])
    #pragma omp single
    for (int i = 0; i < n; i++) {
        #pragma omp task depend(in: token[i - 1]) depend(out: token[i])
        a[i] += i > 0 ? a[i - 1] : 1;
    }
    free(token);
""",
    "negative_base": """\
    double *behind = a + n;
    #pragma omp target parallel map(tofrom: a[0:n])
    #pragma omp single
    for (int i = n; i > 1; i--) {
        #pragma omp task depend(in: behind[-i:1]) depend(inout: behind[1 - i:1])
        a[n - i + 1] += a[n - i];
    }
""",
    "pointer_swap": """\
    double *other = malloc(n * sizeof *other);
    for (int i = 0; i < n; i++) other[i] = i;
    #pragma omp target parallel map(tofrom: a[0:n], other[0:n])
    #pragma omp single
    {
        double *from = a, *to = other;
        for (int t = 0; t < 3; t++) {
            for (int i = 1; i < n; i++) {
                #pragma omp task depend(in: from[i - 1], from[i]) depend(out: to[i])
                to[i] = from[i] + from[i - 1];
            }
            double *swapped = from; from = to; to = swapped;
        }
    }
    a[0] += other[n - 1];
    free(other);
""",
    "taskwait_between": """\
    #pragma omp target parallel map(tofrom: a[0:n])
    #pragma omp single
    {
        for (int i = 0; i < n; i++) {
            #pragma omp task
            a[i] += i;
        }
        #pragma omp taskwait
        for (int i = 0; i + 1 < n; i += 2) {
            #pragma omp task
            a[i] += a[i + 1];
        }
        #pragma omp taskwait
    }
""",
    "taskgroup": """\
    #pragma omp target parallel map(tofrom: a[0:n])
    #pragma omp single
    {
        #pragma omp taskgroup
        for (int i = 0; i < n; i++) {
            #pragma omp task
            a[i] += i;
        }
        #pragma omp task
        a[0] += a[n - 1];
    }
""",
    "target_and_parallel": """\
    #pragma omp target map(tofrom: a[0:n])
    #pragma omp parallel num_threads(4)
    {
        #pragma omp single nowait
        for (int i = 0; i < n; i += 6) {
            #pragma omp task depend(inout: a[i:6])
            step(a + i, 6, 1);
        }
    }
""",
    "own_directive": """\
    #pragma juggler target map(tofrom: a[0:n])
    #pragma omp parallel
    #pragma omp master
    for (int i = 0; i < n; i += 6) {
        #pragma omp task depend(inout: a[i:6])
        step(a + i, 6, 1);
    }
""",
    "declared_before_single": """\
    #pragma omp target parallel map(tofrom: a[0:n]) default(shared)
    {
        int width = 6;
        #pragma omp single
        for (int i = 0; i < n; i += width) {
            #pragma omp task firstprivate(width) depend(inout: a[i:width])
            step(a + i, width, 1);
        }
    }
""",
    "condition_on_input": """\
    int chosen[N];
    for (int i = 0; i < n; i++) chosen[i] = i * 5 % 3;
    #pragma omp target parallel map(tofrom: a[0:n])
    #pragma omp single
    for (int i = 0; i < n; i++)
        if (chosen[i] == 1) {
            #pragma omp task depend(inout: a[i])
            mark(a + i, i);
        } else if (chosen[i] == 2)
            #pragma omp task depend(inout: a[i])
            mark(a + i, -i);
""",
    "global_bound": _in_region(
        "        for (int t = 0; t < rounds; t++) {\n"
        "            #pragma omp task depend(inout: a[0:n])\n            step(a, n, t);\n        }"
    ),
    "no_tasks_at_run_time": """\
    int none = n - N;
    #pragma omp target parallel map(tofrom: a[0:n])
    #pragma omp single
    for (int i = 0; i < none; i++) {
        #pragma omp task depend(inout: a[i])
        a[i] += 1;
    }
""",
    "eligible_by_directive": """\
    #pragma juggler eligible
    #pragma omp target parallel map(tofrom: a[0:n])
    #pragma omp single
    for (int i = 0; i < (int)(a[0] * 0) + 4; i++) {
        #pragma omp task depend(inout: a[i + 1])
        a[i + 1] += 1;
    }
""",
}

# Where the error is to be said is behind an @; the key is what it is to say.
_T = "    #pragma omp target parallel map(tofrom: a[0:n])"

REFUSED = {
    "clause 'if' of 'target parallel'": f"{_T} @if(n > 4)\n    #pragma omp single\n{{\n"
    "        #pragma omp task\n        a[0] = 1;\n    }\n",
    "clause 'device'": f"{_T} @device(0)\n    #pragma omp single\n"
    "    {\n        #pragma omp task\n        a[0] = 1;\n    }\n",
    "clause 'nowait' of 'target parallel'": f"{_T} @nowait\n    #pragma omp single\n"
    "    {\n        #pragma omp task\n        a[0] = 1;\n    }\n",
    "clause 'depend' of 'target parallel'": f"{_T} @depend(in: n)\n    #pragma omp single\n"
    "    {\n        #pragma omp task\n        a[0] = 1;\n    }\n",
    "clause 'reduction' of 'target parallel'": f"    int s = 0;\n{_T} @reduction(+: s)\n"
    "    #pragma omp single\n    {\n        #pragma omp task\n        a[0] = 1;\n    }\n",
    "clause 'defaultmap'": f"{_T} @defaultmap(tofrom: scalar)\n    #pragma omp single\n"
    "    {\n        #pragma omp task\n        a[0] = 1;\n    }\n",
    "clause 'is_device_ptr'": "    double *p = a;\n"
    "    #pragma omp target parallel @is_device_ptr(p)\n    #pragma omp single\n"
    "    {\n        #pragma omp task\n        p[0] = 1;\n    }\n",
    "clause 'copyprivate'": f"    int s;\n{_T} private(s)\n    #pragma omp single @copyprivate(s)\n"
    "    {\n        #pragma omp task\n        a[0] = 1;\n    }\n",
    "map modifiers": "    #pragma omp target parallel @map(always, tofrom: a[0:n])\n"
    "    #pragma omp single\n    {\n        #pragma omp task\n        a[0] = 1;\n    }\n",
    "multiple array elements associated with the same variable": "    #pragma omp target parallel "
    "map(to: a[0:4]) map(from: @a[4:4])\n"
    "    #pragma omp single\n    {\n        #pragma omp task\n        a[4] = a[0];\n    }\n",
    "mapped without a length": "    #pragma omp target parallel map(tofrom: @a)\n"
    "    #pragma omp single\n    {\n        #pragma omp task\n        a[0] = 1;\n    }\n",
    "pointer to pointers, which cannot be mapped": "    double **rows = malloc(n * sizeof *rows);\n"
    "    #pragma omp target parallel map(tofrom: @rows[0:n])\n    #pragma omp single\n    {\n"
    "        #pragma omp task\n        rows[0][0] = 1;\n    }\n",
    "has a length that is not a constant; use a pointer": "    double own[n];\n"
    "    #pragma omp target parallel map(tofrom: @own)\n    #pragma omp single\n    {\n"
    "        #pragma omp task\n        own[0] = 1;\n    }\n",
    "no map clause names it": "    double *b = a;\n    @#pragma omp target parallel\n"
    "    #pragma omp single\n    {\n        #pragma omp task shared(b)\n        b[0] = 1;\n    }\n",
    "pointer 'b' is used in a task": f"    double *b = a;\n{_T}\n    #pragma omp single\n    {{\n"
    "        @#pragma omp task firstprivate(b)\n        b[0] = 1;\n    }\n",
    "every thread would make this task; put it in 'single'": f"{_T}\n    {{\n"
    "        @#pragma omp task\n        a[0] = 1;\n    }\n",
    "every thread of the team executes this": f"{_T}\n    {{\n        @a[0] = 1;\n"
    "        #pragma omp single\n        {\n            #pragma omp task\n"
    "            a[0] = 1;\n        }\n    }\n",
    "a second 'single'": f"{_T}\n    {{\n        #pragma omp single\n        {{\n"
    "            #pragma omp task\n            a[0] = 1;\n        }\n"
    "        @#pragma omp single\n        {\n            #pragma omp task\n"
    "            a[1] = 1;\n        }\n    }\n",
    "directive 'for' is not supported in a region": f"{_T}\n    {{\n        #pragma omp single\n"
    "        {\n            #pragma omp task\n            a[0] = 1;\n        }\n"
    "        @#pragma omp for\n        for (int i = 0; i < n; i++) a[i] = 1;\n    }\n",
    "directive 'taskloop'": _after_task(
        "        @#pragma omp taskloop\n        for (int i = 0; i < n; i++) a[i] = 1;"
    ),
    "directive 'taskyield'": _after_task("        @#pragma omp taskyield\n        ;"),
    "directive 'critical' is not supported between": _after_task(
        "        @#pragma omp critical\n        { n = 3; }"
    ),
    "directive 'parallel for' is not supported between": _after_task(
        "        @#pragma omp parallel for\n        for (int i = 0; i < 3; i++) ;"
    ),
    "directive 'flush'": _after_task("        @#pragma omp flush\n        ;"),
    "directive 'atomic' is not supported in a task": _body(
        "                @#pragma omp atomic\n                a[i] += 1;"
    ),
    "directive 'critical' is not supported in a task": _body(
        "                @#pragma omp critical\n                a[i] += 1;"
    ),
    "directive 'task' is not supported in a task": _body(
        "                @#pragma omp task\n                a[i] += 1;"
    ),
    "directive 'taskwait' is not supported in a task": _body(
        "                @#pragma omp taskwait\n                a[i] += 1;"
    ),
    "directive 'parallel' is not supported in a task": _body(
        "                @#pragma omp parallel\n                a[i] = 1;"
    ),
    "directive 'parallel sections'": _body(
        "                @#pragma omp parallel sections\n                {\n"
        "                    #pragma omp section\n                    a[i] = 1;\n"
        "                }"
    ),
    "in a parallel loop of a task": _body(
        "                #pragma omp parallel for\n                for (int k = 0; k < 6; k++)\n"
        "                    @#pragma omp parallel for\n"
        "                    for (int m = 0; m < 2; m++) a[i + k] += 1;"
    ),
    "'step' has a parallel loop and is called in one": _body(
        "                #pragma omp parallel for\n"
        "                for (int k = 0; k < 1; k++) @step(a + i, 6, 1);"
    ),
    "clause 'lastprivate'": _body(
        "                int last;\n                #pragma omp parallel for @lastprivate(last)\n"
        "                for (int k = 0; k < 6; k++) last = k;\n                a[i] = last;"
    ),
    "clause 'ordered'": _body(
        "                #pragma omp parallel for @ordered\n"
        "                for (int k = 0; k < 6; k++) a[i + k] = k;"
    ),
    "clause 'if' of 'parallel for'": _body(
        "                #pragma omp parallel for @if(i > 3)\n"
        "                for (int k = 0; k < 6; k++) a[i + k] = k;"
    ),
    "clause 'linear'": _body(
        "                int x = 0;\n                #pragma omp parallel for @linear(x: 1)\n"
        "                for (int k = 0; k < 6; k++) { a[i + k] = k; x++; }"
    ),
    "reduction 'operator*'": _body(
        "                double all = 1;\n"
        "                #pragma omp parallel for @reduction(*: all)\n"
        "                for (int k = 0; k < 6; k++) all *= a[i + k];\n                a[i] = all;"
    ),
    "iterations write 'found'": _body(
        "                int found = 0;\n                @#pragma omp parallel for\n"
        "                for (int k = 0; k < 6; k++) if (a[i + k] > 3) found = 1;\n"
        "                a[i] = found;"
    ),
    "this both stores to memory and sets": _body(
        "                double x = 0;\n                step(a + i, 6, 1);\n"
        "                @x += a[i]++;\n                a[i] = x;"
    ),
    "the address of 'own' is used": _body(
        "                double own[6] = {0};\n                @step(own, 6, 1);\n"
        "                a[i] = own[2];"
    ),
    "a static variable in a task": _body(
        "                static int @count = 0;\n                a[i] += count++;"
    ),
    "is not a constant is not supported in a task": _body(
        "                double @own[n];\n                own[0] = 1;\n"
        "                a[i] += own[0];"
    ),
    "'printf' has no body here": _body('                @printf("x");\n                a[i] = 1;'),
    "a call through a pointer": _body(
        "                double (*f)(double) = sqrt;\n                a[i] = @f(a[i]);"
    ),
    "this statement is not supported in a task": _body(
        "                again: a[i] += 1;\n                if (a[i] < 3) @goto again;"
    ),
    "'own' of the region, shared": _in_region(
        "        double own = 0;\n        #pragma omp task shared(own)\n        a[0] = @own;"
    ),
    "array 'own' is a task's own copy": _in_region(
        "        double own[4] = {1};\n        @#pragma omp task firstprivate(own)\n"
        "        a[0] = own[1];"
    ),
    "a task writes 'factor', which is not mapped": _body("                @factor = a[i];"),
    "'n' changes between tasks that share it": "    @#pragma omp target parallel "
    "map(tofrom: a[0:N])\n    #pragma omp single\n    for (n = 0; n < 4; n++) {\n"
    "        #pragma omp task shared(n)\n        a[n] = n;\n    }\n",
    "this condition comes from 'a'": _after_task(
        "        if (@a[0] > 1) {\n            #pragma omp task\n            a[1] = 1;\n        }"
    ),
    "this loop's end comes from 'count'": _after_task(
        "        int count = (int)a[0];\n        for (int i = 0; @i < count; i++) {\n"
        "            #pragma omp task\n            a[i] = 1;\n        }"
    ),
    "this list item comes from 'at'": _after_task(
        "        int at = (int)a[0];\n        #pragma omp task depend(inout: a[@at])\n"
        "        a[1] = 1;"
    ),
    "the task's own 'x' comes from 'x'": _after_task(
        "        double x = a[0];\n        @#pragma omp task firstprivate(x)\n        a[1] = x;"
    ),
    "comes from 'p', which tasks compute": _after_task(
        "        double *p = a + 1;\n        while (@*p > 1) {\n            #pragma omp task\n"
        "            a[1] = 1;\n        }"
    ),
    "this stores to memory between tasks": _after_task("        @a[0] = 2;"),
    "'printf' has effects and is called": _after_task('        @printf("made\\n");'),
    "'mark' has effects and is called": _after_task("        @mark(a, 2);"),
    "nothing says which arrays they use; write in front of it: "
    "#pragma juggler target map(tofrom: a[0:LENGTH])": "    @#pragma omp parallel\n"
    "    #pragma omp single\n    for (int i = 0; i < n; i++) {\n"
    "        #pragma omp task depend(inout: a[i])\n        a[i] = 1;\n    }\n",
    "unknown directive of juggler 'map'": f"    #pragma @juggler map(a)\n{_T}\n"
    "    #pragma omp single\n    {\n        #pragma omp task\n        a[0] = 1;\n    }\n",
    "a directive comes from a macro or _Pragma": _in_region(
        '        @_Pragma("omp task depend(inout: a[0])") a[0] = 1;'
    ),
    "the size of array 'table'": _body("                a[i] += @sizeof table / 8;"),
    "is mapped, so that tasks may change it": "    double sum = 0;\n"
    "    #pragma omp target parallel map(tofrom: sum, a[0:n])\n    #pragma omp single\n    {\n"
    "        @#pragma omp task firstprivate(sum)\n        a[0] = sum;\n    }\n",
    "'n' is set in the region, which has a copy": "    @#pragma juggler target "
    "map(tofrom: a[0:N])\n    #pragma omp parallel\n    #pragma omp single\n"
    "    for (n = 0; n < 4; n++) {\n        #pragma omp task firstprivate(n)\n"
    "        a[n] = n;\n    }\n",
    "holds a pointer, which leads nowhere": "    struct part { double *of; } own = {a};\n"
    "    @#pragma omp target parallel map(tofrom: a[0:n])\n    #pragma omp single\n    {\n"
    "        #pragma omp task shared(own)\n        own.of[0] = 1;\n    }\n",
    "'parts' holds pointers": "    struct part { double *of; } parts[2] = {{a}, {a}};\n"
    "    #pragma omp target parallel map(tofrom: @parts)\n    #pragma omp single\n    {\n"
    "        #pragma omp task\n        parts[0].of[0] = 1;\n    }\n",
    "a parallel loop in a 'switch'": _body(
        "                @switch (i) { case 0: step(a, 3, 1); break; default: break; }"
    ),
    "comes from a macro; write it out": _body("                @STEP(a + i);"),
    "only the first dimension of a mapped section": "    #pragma omp target parallel "
    "map(tofrom: @grid[0:1][1:2])\n    #pragma omp single\n    {\n        #pragma omp task\n"
    "        grid[0][1] = 1;\n    }\n    (void)a;\n",
}

# Whole programs in C++ with what they are refused for.
REFUSED_CPP = {
    "cannot be copied byte by byte; map the array": "#include <vector>\n"
    "void f() {\n  std::vector<double> v(4);\n"
    "  #pragma omp target parallel map(tofrom: @v)\n  #pragma omp single\n  {\n"
    "    #pragma omp task\n    v[0] = 1;\n  }\n}\n",
    "a region in a template": "template <class T> void f(T* a) {\n"
    "  @#pragma omp target parallel map(tofrom: a[0:4])\n  #pragma omp single\n  {\n"
    "    #pragma omp task depend(inout: a[0])\n    a[0] = 1;\n  }\n}\nvoid g(int* a) { f(a); }\n",
    "a region in a member function": "struct s { int* a; void f(int* a) {\n"
    "  @#pragma omp target parallel map(tofrom: a[0:4])\n  #pragma omp single\n  {\n"
    "    #pragma omp task depend(inout: a[0])\n    a[0] = 1;\n  }\n} };\n",
    "a lambda in a task": "void f(int* a) {\n"
    "  #pragma omp target parallel map(tofrom: a[0:4])\n  #pragma omp single\n  {\n"
    "    #pragma omp task depend(inout: a[0])\n    { auto g = @[](int x) { return x; };"
    " a[0] = g(1); }\n  }\n}\n",
    "exceptions in a task": "void f(int* a) {\n"
    "  #pragma omp target parallel map(tofrom: a[0:4])\n  #pragma omp single\n  {\n"
    "    #pragma omp task depend(inout: a[0])\n    if (a[0]) @throw 1;\n  }\n}\n",
    "memory is not allocated in a task": "void f(int* a) {\n"
    "  #pragma omp target parallel map(tofrom: a[0:4])\n  #pragma omp single\n  {\n"
    "    #pragma omp task depend(inout: a[0])\n    a[0] = *@new int(1);\n  }\n}\n",
    "'id' is a template": "template <class T> T id(T x) { return x; }\nvoid f(int* a) {\n"
    "  #pragma omp target parallel map(tofrom: a[0:4])\n  #pragma omp single\n  {\n"
    "    #pragma omp task depend(inout: a[0])\n    a[0] = @id(1);\n  }\n}\n",
    "makes tasks and calls itself": "void f(int* a, int n) {\n"
    "  #pragma omp task depend(inout: a[n])\n  a[n] = n;\n  if (n > 0) @f(a, n - 1);\n}\n"
    "void g(int* a) {\n  #pragma omp target parallel map(tofrom: a[0:4])\n"
    "  #pragma omp single\n  f(a, 3);\n}\n",
    "member functions are not supported": "struct s { int x; int get() const { return x; } };\n"
    "void f(int* a, s v) {\n  #pragma omp target parallel map(tofrom: a[0:4])\n"
    "  #pragma omp single\n  {\n    #pragma omp task depend(inout: a[0])\n"
    "    a[0] = @v.get();\n  }\n}\n",
}

# Whole programs: several regions in functions that are called more than once, with tasks in
# functions; and C++ with a namespace, references and a vector outside of the region.
WHOLE = {
    "regions.c": """\
#include <stdio.h>
#include <string.h>
typedef struct { float x, y; } point;
static point cloud[32];
static float weight = 0.5f;
int limit = 32;
static void move(point *p, float by) { p->x += by * weight; p->y -= by; }
static void tasks_for(int first, int n)
{
    for (int i = first; i < first + n && i < limit; i++) {
        float by = i * 0.25f;
        #pragma omp task depend(inout: cloud[i])
        {
            move(&cloud[i], by);
            if (i > 3) cloud[i].x += 1;
        }
    }
}
static void a(int n)
{
    #pragma omp target parallel map(tofrom: cloud)
    {
        #pragma omp single
        {
            tasks_for(0, n);
            tasks_for(n, n);
        }
    }
}
static void b(float *sum)
{
    #pragma omp target parallel map(to: cloud) map(tofrom: sum[0:1])
    #pragma omp master
    for (int i = 0; i < 32; i++) {
        #pragma omp task depend(in: cloud[i]) depend(inout: sum[0])
        *sum += cloud[i].x * (i + 1) + cloud[i].y;
    }
}
int main(void)
{
    float s = 1;
    memset(cloud, 0, sizeof cloud);
    a(8); b(&s); printf("%g\\n", s);
    weight = 2; a(16); b(&s); printf("%g\\n", s);
    return 0;
}
""",
    "namespace.cpp": """\
#include <cstdio>
#include <cmath>
#include <vector>
namespace lab {
template <class T> T twice(T x) { return x + x; }
struct cell { double v; int n; };
enum class kind { a, b };
constexpr int width = 6;
static double scale(double x, kind k) { return k == kind::a ? x * 2 : std::sqrt(x * x); }
inline void fill(cell* c, int n, double by) {
  #pragma omp parallel for
  for (int i = 0; i < n; ++i) { c[i].v += scale(by, i % 2 ? kind::a : kind::b); c[i].n++; }
}
void run(std::vector<cell>& all, bool twice_too) {
  cell* c = all.data();
  auto n = all.size();
  const double by = 1.5;
  #pragma omp target parallel map(tofrom: c[0:n]) \\
      default(shared)
  {
    #pragma omp single
    {
      for (std::size_t i = 0; i < n; i += width)
        #pragma omp task depend(inout: c[i:width])
        fill(c + i, width, by);
      if (twice_too)
        for (std::size_t i = 0; i < n; i += width)
          #pragma omp task depend(inout: c[i:width])
          ;
      for (std::size_t i = 0; i < n; i++) {
        #pragma omp task depend(inout: c[i])
        { cell& own = c[i]; own.v = std::fmax(own.v, by); own.n += 2; }
      }
    }
  }
}
}
int main() {
  std::vector<lab::cell> all(24, {1, 2});
  lab::run(all, true);
  double s = 0; for (auto& c : all) s += c.v * c.n;
  std::printf("%g\\n", s + lab::twice(1));
}
""",
}
