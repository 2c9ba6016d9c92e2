"""Forms with another meaning in C++20 than in C or C++17, and macros around regions."""

from juggler_cc_parts import ON, body, in_region

ONE = in_region("#pragma omp task\na[0] = 1;")
TASK = "#pragma omp task\na[0] = 1;\n"

ACCEPTED = {
    "copies_of_enumerators": "#define MOST(x, y) \\\n"
    "({ __typeof__(x) x_ = (x); __typeof__(y) y_ = (y); x_ > y_ ? x_ : y_; })\n"
    "#define MOST_AUTO(x, y) ({ __auto_type x_ = (x); __auto_type y_ = (y); x_ > y_ ? x_ : y_; })\n"
    + body(
        "a[i] += MOST(i - 3, plain) + MOST(plain, doubled) * 4;\n"
        "a[i] += (MOST(-1, plain) - 2 < 0) + MOST_AUTO(i, doubled);"
    ),
    "private_twice": """\
    int k, x;
    #pragma omp target parallel map(tofrom: a[0:n]) private(k, x)
    #pragma omp single private(x)
    for (k = 0; k < n; k++) {
        x = k * k;
        #pragma omp task depend(inout: a[k]) firstprivate(k, x)
        a[k] += x;
    }
""",
    # OpenMP 5 leaves the order of such tasks open; juggler-cc uses program order.
    "tasks_that_exclude_each_other": in_region(
        "for (int i = 0; i < n; i++) {\n#pragma omp task \\\n"
        "depend(mutexinoutset: a[0]) firstprivate(i)\na[0] += i;\n"
        "#pragma omp task depend(in: a[0]) depend(inout: a[2])\na[2] += a[0];\n}"
    ),
    "taskwait_for_some": in_region(
        "#pragma omp task depend(inout: a[0])\na[0] += 2;\n#pragma omp task depend(inout: a[1])\n"
        "a[1] += 3;\n#pragma omp taskwait \\\ndepend(in: a[0])\n#pragma omp task\na[2] += a[0];"
    ),
    "null_pointers": "double *own = (void *)0, *other = NULL, *third = 0;\n"
    "if (own == 0 && !other && third != a) own = a;\nown[1] += 1;\n" + ONE,
}

WHOLE = {
    "prints.c": """\
#include <stdio.h>
enum kind { plain, other };
static void show(int i, double x)
{
    if (i % 2) printf("%d: %g\\n", i, x);
    else
        (void)printf("%s %d%%\\n", "even", i);
}
int main(void)
{
    double a[8] = {1.5, 2};
    #pragma omp target parallel map(tofrom: a)
    #pragma omp single
    for (int i = 0; i < 8; i++) {
        #pragma omp task depend(inout: a[0]) firstprivate(i)
        {
            a[0] += i;
            show(i, a[0]);
            printf("%c %ld %d\\n", 'a' + i, 3L * i, other);
        }
    }
    printf("%g\\n", a[0]);
    return 0;
}
"""
}

REFUSED = {
    "needs a literal format": '    char const *how = "%d";\n'
    + in_region('        #pragma omp task\n{ a[0] = 1; @printf("%d" + 0 * n, 1); }')
    + "a[1] = how[0];\n",
    "prints only numbers and string literals": body(
        '                @printf("%p", a + i);'
    ).replace('@printf("%p", a', 'printf("%p", @a'),
    "'printf' returns another number": body('                a[i] += @printf("x");'),
    "'masked' of OpenMP 5 is not supported; write single": f"int rank = 0;\n{ONE}"
    "#pragma omp parallel @masked\nrank++;\na[1] = rank;\n",
    "'omp_all_memory' of OpenMP 5": in_region(
        "#pragma omp task depend(inout: @omp_all_memory)\na[0] = 1;"
    ),
    "the size of an int in C, and of a byte in C++": f"{ONE}}}\n#include <stdbool.h>\n"
    "int none(void)\n{\nreturn @sizeof(true);\n",
    "this has the type 'int' in C, and another": f"{ONE}}}\n#include <stdbool.h>\nint none(void)\n"
    "{\n@__auto_type own = true;\nown = 5;\nreturn own;\n",
    "the type 'int' in C, and another type": body("@__typeof__(plain) own = i;\na[i] += own;"),
    "'int' in C, and another type in C++": f"@__auto_type own = plain;\nown = 7;\n{ONE}"
    "a[1] = own;\n",
    "'__STDC_VERSION__' would have the value": body("a[i] += @__STDC_VERSION__;"),
    "'__BASE_FILE__' would describe the generated source": f"a[1] = *@__BASE_FILE__;\n{ONE}",
    "'sqrt' of tgmath.h": f"{ONE}}}\n#include <tgmath.h>\ndouble none(float x)\n{{\n"
    "return @sqrt(x);\n",
    "C++ requires 'int main'": f"{ONE}}}\nvoid @main(void)\n{{\n",
    "this has no room for the text's final zero": '    char own[2][4] = {@"abcd", "e"};\n'
    f"{ONE}    a[1] = own[0][3];\n",
    "C++ does not order a pointer and 0": f"if (a @> 0) a[1] = 2;\n{ONE}",
    "does not accept this as a null pointer": f"char *own = @'\\0';\n{ONE}    a[1] = own == 0;\n",
    "'number' always names this type in C++": f"{ONE}}}\ntypedef int number;\n"
    "struct @number { int x; };\nvoid none(void)\n{\n",
    # Replacing the directive would delete the rest of such a macro.
    "a macro or _Pragma; write '#pragma omp'": "#define REGION rounds++; \\\n"
    '    _Pragma("omp target parallel map(tofrom: a[0:n])")\n'
    f"@REGION\n#pragma omp single\n{{\n{TASK}    }}\n",
    "a directive comes from a macro": f'#define SINGLE _Pragma("omp single")\n{ON}\n'
    f"@SINGLE\n{{\n{TASK}    }}\n",
    "a region begins or ends inside a macro": f"#define END }} rounds = 7;\n{ON}\n{{\n"
    f"#pragma omp single\n{{\n{TASK}    }}\n@END\n",
    # A pointer that is set from itself must not cause an endless search.
    "'chain' holds pointers, which are invalid": "struct link { struct link *next; double v; }"
    " chain[2] = {{chain + 1, 1}, {0, 2}};\n#pragma omp target parallel map(tofrom: @chain)\n"
    "#pragma omp single\nfor (struct link *p = chain; p; p = p->next) {\n"
    "#pragma omp task depend(inout: p->v) firstprivate(p)\np->v += 1;\n}\n",
}

REGION = (
    "void f(double* a) {\n#pragma omp target parallel map(tofrom: a[0:4])\n  #pragma omp single\n"
    "{\n#pragma omp task\na[0] = 1;\n}\n}\n"
)
REFUSED_CPP = {
    "'__cplusplus' would have the value of the": f"long k = @__cplusplus;\n{REGION}",
    "'place' returns a reference": "static double own;\nstatic double& place() { return own; }\n"
    + REGION.replace("a[0] = 1", "a[0] = @place()"),
    "'concept' is a keyword of C++20": f"static int @concept = 1;\n{REGION}int k = concept;\n",
    "a text with 'u8' has another type in C++20": f'auto k = @u8"abc";\n{REGION}',
}
