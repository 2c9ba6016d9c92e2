"""Pieces of C from which the test programs for juggler-cc are built."""

# Each form is a function that works on a[0] to a[n - 1]. `step` changes a range by a parallel loop,
# `mark` one element by serial code.
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
#define SIZE 4
void sized(double *);
static struct { int x; } nameless = {2};
static double summed(const double *p, int n)
{
    double all = 0;
    #pragma omp parallel for reduction(+: all)
    for (int i = 0; i < n; i++) all += p[i];
    return all;
}
static void *filled(void *memory, int n)
{
    double *p = memory;
    for (int i = 0; i < n; i++) p[i] += i;
    return memory;
}
static double weight(int i)
{
    static const double weights[4] = {0.5, 1, 1.5, 2};
    const static double half = 0.5;
    return weights[i % 4] * half;
}
static double weighed(const double *p, int i) { return p[i] * table[i % 4] * factor; }
"""

REGION = """\
    #pragma omp target parallel map(tofrom: a[0:n])
    #pragma omp single
    {{
{}
    }}
"""


def in_region(text):
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


def body(text):
    return in_region(BODY.format(text))


def after_task(text):
    return in_region(
        f"        #pragma omp task depend(inout: a[0:n])\n        step(a, n, 1);\n{text}"
    )


ON = "    #pragma omp target parallel map(tofrom: a[0:n])"
SINGLE = "#pragma omp single\n{\n#pragma omp task\n"
ONE_TASK = f"{SINGLE}a[0] = 1;\n}}\n"
# Begins a region with one task in a C++ program that has an array `a`.
FIRST_TASK = (
    "#pragma omp target parallel map(tofrom: a[0:4])\n#pragma omp single\n{\n"
    "#pragma omp task depend(inout: a[0])\n"
)
