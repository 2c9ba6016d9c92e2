"""Forms from public programs that were once mistranslated or refused without a reason."""

from juggler_cc_parts import ON, after_task, body, in_region

ENDS = """\
    double *first = a, *second = a + 12;
    #pragma omp target parallel map(tofrom: first[0:12], second[0:n - 12])
    #pragma omp single
    for (int i = 0; i < 12; i += 6) {
        double *low = first + i, *high = first + i + 6;
        #pragma omp task depend(inout: first[i:6]) firstprivate(low, high)
        for (double *p = low; p < high; p++) *p += high[-1] + i;
        #pragma omp task depend(inout: second[i:6])
        second[i] *= 2;
    }
"""

ACCEPTED = {
    # The end of one array may be the begin of the next.
    "ends_of_arrays": ENDS,
    # In C a function may end without a value if nobody uses it.
    "functions_without_return": "unsaid(a);\nsaid(a + 1);\n"
    + body("unsaid(a + i);\nint all = raised(a + i, 6);\na[i + 1] += all;")
    + "unsaid(a);\n",
    "conditions_within_braces": f"#if N > 3\n{ON}\n#else\n"
    "#pragma juggler target map(tofrom: a[0:n])\n#pragma omp parallel\n#endif\n#pragma omp single\n"
    "{\n#ifdef NONE\nfor (int i = 0; i < n; i++) {\n#else\nfor (int i = 0; i < n; i += 2) {\n"
    "#endif\n#pragma omp task depend(inout: a[i])\n#if defined(NONE) || \\\nN == 7\na[i] = 0;\n"
    "#else\na[i] += by_condition();\n#endif /* of\nN */\n}\n}\n",
    "structures_that_decide": "int own[3] = {1, 0, 1};\nstruct plan all = {6, own}, *plan = &all;\n"
    "int *which = plan->which;\n"
    + in_region(
        "for (int i = 0; i < plan->n / 2 + all.n - counted(plan); i++) {\n"
        "if (!which[i]) continue;\n#pragma omp task depend(inout: a[i])\na[i] += 1;\n}"
    ),
    "task_that_waits": in_region(
        "#pragma omp task\nwait(a);\n#pragma omp taskwait\n#pragma omp task\nwait(a);"
    ),
    "words_of_gnu": "__auto_type own = 2.5;\nvoid *f = (void *)0;\nf = said;\n"
    "int (*g)(double *) = f;\ng(a);\nstatic _Alignas(32) double lying[4];\n"
    "a[3] += own + lying[1];\nif (n < 0) ends();\n" + in_region("#pragma omp task\na[0] += 1;"),
}

HEAD = """\
struct plan { int n; int *which; };
static int counted(const struct plan *plan) { return plan->n; }
#define WHICH 3
__attribute__((noinline)) static int unsaid(double *p)
{
    if (p[0] > 1e9) return 1;
    p[0] += 1;
}
__attribute__((noinline)) static int said(double *p) { p[0] += 2; return 1; }
static int raised(double *p, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) p[i] += i;
    for (;;) { if (n > 3) return n; n++; }
}
static int by_condition(void)
{
#if WHICH == 3
    return 3;
#else
    return 1000;
#endif
}
#undef WHICH
#define WHICH 4
static void wait(double *p) { *p += 1; }
static _Noreturn void ends(void) { exit(3); }
"""

ONE = in_region("#pragma omp task\na[0] = 1;")
LOOP = "#pragma omp parallel for\nfor (int k = 0; k < 6; k++) a[i + k] += own[1];"

REFUSED = {
    "'goto' is not supported in a task; write a loop": body(
        "again: a[i] += 1;\nif (a[i] < 3) @goto again;"
    ),
    "the address of 'own' is used in code": body(
        f"double own[2] = {{1, 2}};\nif (i) {{ @double *p = own; p[1] = 7; }}\n{LOOP}"
    ),
    "this list item has effects": in_region(
        "for (int i = 0; i < n;) {\n#pragma omp task firstprivate(i) depend(inout: @a[i++])\n"
        "a[i] += 1;\n}"
    ),
    "comes from 'plan', whose inner pointers may lead to": "int own[1] = {1};\n"
    "struct plan all = {6, own}, *plan = &all;\n"
    + in_region("if (@plan->which[0]) {\n#pragma omp task depend(inout: a[0])\na[0] += 1;\n}"),
    "comes from 'rows', whose inner pointers may lead to": "double *rows[2] = {a, a};\n"
    + in_region("if (@rows[1][0] > 1) {\n#pragma omp task depend(inout: a[0])\na[0] += 1;\n}"),
    "'token' has a length that is not a constant": "char token[3][n];\n"
    "@#pragma omp target parallel map(tofrom: a[0:n])\n#pragma omp single\n{\n"
    "#pragma omp task depend(inout: token[1][2])\na[0] = 1;\n}\n",
    "jumps past 'own', which C++ does not allow": f"if (n > 99) @goto out;\n{ONE}int own = 3;\n"
    "a[1] = own;\nout:\na[2] = 1;\n",
    "'switch' jumps here past 'own'": f"{ONE}    switch (n) {{\ncase 1:;\nint own = 3;\n"
    "a[1] = own;\n@case 24: a[2] = 1;\n}\n",
    "C++ does not declare a type in 'sizeof'": f"a[1] = sizeof(@struct {{ int x; }});\n{ONE}",
    "C++ does not declare a type in a return type": f"{ONE}}}\n"
    "struct @made_here { int x; } none(void)\n{\nstruct made_here own = {1};\nreturn own;\n",
    "not declare a type in parameters": f"{ONE}}}\nvoid none(enum @made_here {{ here }} x)\n{{\n"
    "(void)x;\n",
    "no constant 'zeros' without a value": f"static const double @zeros[4];\n{ONE}"
    "a[1] = zeros[1];\n",
    "'auto' deduces a type in C++": f"@auto int own = 1;\n{ONE}    a[1] = own;\n",
    "not increment or decrement a bool": f"_Bool own = 0;\n@own++;\n{ONE}    a[1] = own;\n",
    "'()' of this function pointer means no": f"int (*f)() = said;\n@f(a);\n{ONE}",
    "'_Alignas' of a type": f"@_Alignas(double) char own[8] = {{1}};\n{ONE}a[1] = own[0];\n",
    "'exit' of the C library is not supported in a task": after_task(
        "#pragma omp task\nif (a[0] > 1e9) @exit(1);"
    ),
}


def _in_task(text):
    return (
        "struct s { double x, m[2]; };\nvoid f(double* a) {\n"
        "  #pragma omp target parallel map(tofrom: a[0:6])\n#pragma omp single\n{\n"
        f"#pragma omp task depend(inout: a[0:6])\n{{\n{text}\n#pragma omp parallel for\n"
        "for (int k = 0; k < 6; k++) a[k] += own.x;\n}\n}\n}\n"
    )


# Each thread of a block has its own local variables, so a reference would set only one of them.
REFUSED_CPP = {
    "the address of 'own' is used in code with": _in_task(
        "s own{1}; @double& x = own.x; x = a[0];"
    ),
    "the address of 'own' is used in code": _in_task(
        "s own{1}; @for (double& x : own.m) x = a[0];"
    ),
    "the address of 'own' is used": _in_task("s own{1}; @auto& [x, m] = own; x = a[0]; m[0] = x;"),
    "the address of 'own' is": _in_task("s own{1}; if (a[0] > 1) { @auto& x = own; x.x = 4; }"),
    "a reference to a value without a name": _in_task("s own{1}; double&& @x = 3.0; x = a[0];"),
}

WHOLE = {
    "references.cpp": """\
#include <cstdio>
struct s { double x, m[2]; };
static double sum(const double (&m)[2]) {
  double all = 0;
  for (const double& x : m) all += x;
  return all;
}
int main() {
  double a[24];
  for (int i = 0; i < 24; i++) a[i] = i * 7 % 11;
  #pragma omp target parallel map(tofrom: a)
  #pragma omp single
  for (int i = 0; i < 24; i += 6) {
    #pragma omp task depend(inout: a[i:6])
    {
      double& first = a[i];
      const double& same = a[i];
      double kept = same;
      first = 3;
      s own{1, {2, 3}};
      auto [x, m] = own;
      x = first;
      double part = x;
      double all = sum(own.m);
      for (double one : own.m) all += one;
      if (same > 2) {
        #pragma omp parallel for
        for (int k = 0; k < 6; k++) { double& cell = a[i + k]; cell += kept + part + all; }
      }
      first += kept;
    }
  }
  for (double x : a) std::printf("%g ", x);
  std::printf("\\n");
}
"""
}
