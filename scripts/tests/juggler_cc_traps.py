"""Forms that juggler-cc once mistranslated, or for which it made invalid code."""

from juggler_cc_parts import SINGLE, after_task, body, in_region

# Forms that are translated with the meaning of OpenMP.
ACCEPTED = {
    "values_of_calls_that_store": body(
        "step(a + i, 6, 1);\na[i + 1] = bumped(a + i);\ndouble x = a[i + 1];\nstep(a + i, 6, x);"
    ),
    "arguments_read_from_memory": body(
        "step(a + i, 6, a[i]);\nstep(a + i, (int)a[i + 1] % 3 + 2, *(a + i) > 3 ? a[i] : 1);\n"
        "step(&a[i + 1], 3, weighed(a, i));"
    ),
    "sizes_of_what_tasks_write": """\
    double own[N];
    for (int i = 0; i < n; i++) own[i] = a[i];
    #pragma omp target parallel map(tofrom: own)
    #pragma omp single
    for (int i = 0; i < (int)(sizeof own / sizeof own[0]); i++) {
        #pragma omp task depend(inout: own[i])
        own[i] += 1;
    }
    for (int i = 0; i < n; i++) a[i] = own[i];
""",
    "private_loop_variables": body(
        "int x, y;\n#pragma omp parallel for collapse(2) private(x, y)\nfor (x = 0; x < 2; x++)\n"
        "for (y = 3; y > 0; y--) a[i + x * 3 + y - 1] += x * y;\n"
        "#pragma omp parallel for private(x)\nfor (x = 0; x < 6; x++) a[i + x] += x;"
    ),
    "types_of_our_names": body(
        "struct Block own = {a[i]}; task_data x = {2};\nblocked(&own, x);\na[i] = own.v;"
    ),
    "own_structure_that_a_task_sets": in_region(
        "for (int i = 0; i < n; i++) {\nstruct pair own = {1.5, i};\n"
        "#pragma omp task depend(inout: a[own.count])\n"
        "{ own.low += 1; a[own.count] += own.low; own.count = 100; }\n}"
    ),
    "functions_that_call_each_other": body("there(a + i, 6, 3);"),
    "affinity": in_region(
        "for (int i = 0; i < n; i += 6) {\n#pragma omp task affinity(a[i:(6)]) \\\n"
        "depend(inout: a[i:6])\nstep(a + i, 6, i);\n}"
    ),
    "directives_in_comments": "/*\n#pragma juggler target map(tofrom: a)\n"
    "#pragma omp task depend(mutexinoutset: a)\n*/\n#if 0\n#pragma juggler nonsense\n"
    "#pragma juggler eligible\n#endif\n" + body("a[i] += 1;"),
    "macros_that_are_statements": body(
        "step(a + i, 6, 1);\nRAISE(a + i)\nTURN(a + i);\nFROM_ZERO(k, 3) a[i + k] += k;"
    ),
    "global_of_a_parameters_name": """\
    int rounds = 3;
    #pragma omp target parallel map(tofrom: a[0:n])
    #pragma omp single
    for (int i = 0; i < rounds; i++) {
        #pragma omp task depend(inout: a[i])
        a[i] += by_rounds(i);
    }
""",
    "enumerations": """\
    enum kind { low, middle, high } x = high;
    int rounds_of = 0;
    for (int i = -3; i < x; i++) rounds_of++;
    a[20] = rounds_of;
    a[21] = (x - 3 < 0) + 2 * (-7 / x > 0) + 1.5 * (x - 3);
    a[22] = -x + (plain - 1 < 0);
    #pragma omp target parallel map(tofrom: a[0:n])
    #pragma omp single
    for (int i = -1; i < 4; i++) {
        if (i < chosen) continue;
        #pragma omp task depend(inout: a[i + 1]) firstprivate(i)
        {
            enum mode m = doubled;
            struct chosen_one own = {first, i};
            a[i + 1] += m - 2 + (own.is - 1 < 0) + (i - 3 < LAST);
            a[i + 1] += (ALL_BITS > 0) + (ONE_BIT - 2 < 0);
        }
    }
""",
    "infinite_numbers": body(
        "a[i] += isinf(-HUGE_VAL * a[i]) * 2 + isinf(INFINITY) + isinf(a[i]);"
    ),
    "conditions": "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n#if defined(_OPENMP) && \\\n"
    "N > 2\n#define GROWN(x) \\\n(x) + 1\n#else\n#define GROWN(x) (x)\n#endif\n"
    + body("#ifdef __cplusplus\na[i] = 1;\n#else\na[i] = GROWN(a[i]);\n#endif"),
    "length_of_an_array_from_elsewhere": """\
    #pragma omp target parallel map(tofrom: a[0:n]) map(to: elsewhere[0:3])
    #pragma omp single
    for (int i = 0; i < n; i++) {
        #pragma omp task depend(inout: a[i])
        a[i] += elsewhere[i % 3];
    }
""",
}

# Declarations for the forms above.
HEAD = """\
#define RAISE(p) *(p) += 1;
#define TURN(p) do { double turned = (p)[0]; (p)[0] = (p)[1]; (p)[1] = turned; } while (0)
#define FROM_ZERO(k, n) for (int k = 0; k < n; k++)
#define TWO(p) mark(p, 1); i += 6
#define KEEP_AND_SET(p) kept = *(p); *(p) = 3
struct Block { double v; };
static double bumped(double *p) { return p[0] += 2; }
typedef struct { int x; } task_data;
static void blocked(struct Block *own, task_data x)
{
    own->v *= x.x;
}
static void there(double *p, int n, int depth);
static void back(double *p, int n, int depth)
{
    there(p, n, depth);
    p[0] += 1;
}
static void there(double *p, int n, int depth)
{
    if (depth > 0) back(p, n, depth - 1);
    step(p, n, depth);
}
static double by_rounds(int i) { return rounds * 10 + i; }
extern double elsewhere[];
static double *shifted(double *p, int by) { return p + by; }
static int made(double *p)
{
    #pragma omp task depend(inout: *p)
    mark(p, 1);
    return 1;
}
typedef enum { first, second } order;
#define LAST second
enum bits { ALL_BITS = 0xFFFFFFFFu, ONE_BIT = 1 };
static enum of_static { one, another } const chosen = one;
struct chosen_one { order is; int at; };
static _Thread_local double own_of_thread = 1;
"""
TAIL = "double elsewhere[3] = {1, 2, 4};\n"

READS_A = "#pragma omp taskwait\n"
TASK = "{\n#pragma omp task\na[1] = 1;\n}"

# Forms that are refused.
REFUSED = {
    "'factor' changes between tasks that share it": "void late(double *, double);\n"
    + in_region("for (int i = 0; i < n; i++) late(a + i, i);")
    + "}\nvoid late(double *p, double by)\n{\n@factor = by;\n#pragma omp task depend(inout: *p)\n"
    "*p += factor;\n",
    "the macro of this task's statement holds more": in_region(
        "for (int i = 0; i < n;) {\n#pragma omp task firstprivate(i) depend(inout: a[i])\n"
        "@TWO(a + i);\n}"
    ),
    "a macro holds this and other statements": body(
        "double kept;\nstep(a + i, 6, 1);\n@KEEP_AND_SET(a + i);\nstep(a + i, 6, kept);"
    ),
    "the header of a parallel loop comes from a macro": body(
        "#pragma omp parallel for\n@FROM_ZERO(k, 3) a[i + k] += k;"
    ),
    "this condition comes from 'q'": after_task(
        READS_A + "double *q = shifted(a, 3);\nif (@q[0] > 1)\n" + TASK
    ),
    "this condition comes from 'either'": after_task(
        READS_A + "double *either = n > 3 ? a : table;\nif (@either[0] > 1)\n" + TASK
    ),
    "this condition comes from 'rows'": after_task(
        READS_A + "double *rows[2] = {a, table};\nif (@rows[0][0] > 1)\n" + TASK
    ),
    "this condition comes from 'a'": after_task(
        READS_A + "int r = @a[0] > 1 && made(a);\n(void)r;"
    ),
    "array 'own' is firstprivate": body(
        "double own[2] = {1, 2};\n@#pragma omp parallel for firstprivate(own)\n"
        "for (int k = 0; k < 6; k++) a[i + k] += own[0];"
    ),
    "array 'elsewhere' has no length": f"@#pragma omp target parallel map(tofrom: a[0:n])\n{SINGLE}"
    "a[0] = elsewhere[1];\n}\n",
    "'jcc_x' begins with jcc_ or Jcc, like names": "int @jcc_x = 1;\n" + body("a[i] += jcc_x;"),
    "each thread has its own 'own_of_thread'": "@#pragma omp target parallel map(tofrom: a[0:n])\n"
    f"{SINGLE}a[0] = own_of_thread;\n}}\n",
    "C++ has different complex numbers": "_Complex double @own = 1;\n"
    + body("a[i] += 1;")
    + "a[1] += own;\n",
    "goes beyond the end of 'table', which has 4": "#pragma omp target parallel "
    f"map(tofrom: @table[1:4])\n{SINGLE}table[1] = 1;\n}}\n(void)a;\n",
    "'at_place' is declared behind the region": "void late(double *, int);\n"
    + in_region("late(a, n);")
    + "}\nstatic int at_place(int i)\n{\nreturn i;\n}\nvoid late(double *p, int n)\n{\n"
    "#pragma omp task depend(inout: p[@at_place(n)])\np[0] = 1;\n",
    "a device has no 'long double'": body("long double x;\n@x = a[i];\na[i] = x;"),
    "clause 'detach' of OpenMP 5": in_region("#pragma omp task @detach(n)\na[0] = 1;"),
}
