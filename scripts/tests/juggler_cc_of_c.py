"""Forms of C that are not C++ and that juggler-cc refuses. Tables as in juggler_cc_refused.py."""

from juggler_cc_parts import ONE_TASK, SINGLE, body, in_region

ONE = in_region("#pragma omp task\na[0] = 1;")

REFUSED = {
    "'class' is a keyword of C++": f"int @class = 1;\n{ONE}    a[1] = class;\n",
    "'new' is a keyword of C++": f"struct {{ int @new; }} own = {{1}};\n{ONE}a[1] = own.new;\n",
    "'and' is a keyword of C++": f"int @and = 1;\n{ONE}    a[1] = and;\n",
    "in the order of their declarations": "struct pair own = {.count = 1, @.low = 2};\n"
    f"{ONE}    a[1] = own.low;\n",
    "C++ has no '[index] ='": f"int own[4] = {{@[2] = 1}};\n{ONE}    a[1] = own[2];\n",
    "names for all members of an initializer": f"struct pair own = @{{1, .count = 2}};\n{ONE}"
    "a[1] = own.low;\n",
    "does not initialize a member of a member by name": "struct { struct pair of; } own = "
    f"{{@.of.low = 2}};\n{ONE}    a[1] = own.of.low;\n",
    "C++ has no array without a name": f"const int *own = @(int[]){{1, 2}};\n{ONE}a[1] = own[1];\n",
    "no address of a value without a name": "struct pair *own = @&(struct pair){1, 2};\n"
    f"{ONE}    a[1] = own->low;\n",
    "does not change an enumeration by arithmetic": f"enum mode own = plain;\n{ONE}    @own++;\n"
    "a[1] = own;\n",
    "the size of an int in C": f"a[1] = @sizeof 'x';\n{ONE}",
    "the size of a pointer in C": f"int v[8];\na[1] = @sizeof(n ? v : v);\n{ONE}",
    "another type in C++; write the type": f"@__auto_type own = n > 3;\n{ONE}    a[1] = own;\n",
    "this has the type 'int' in C": f"@__typeof__(!n) own = 500;\n{ONE}    a[1] = own;\n",
    "size of an int in C, and of a byte": f"a[1] = @sizeof(n, 'a');\n{ONE}",
    "without members has the size 0": f"struct @none {{}};\n{ONE}a[1] = sizeof(struct none);\n",
    "'table' always names this type in C++": f"struct @table {{ int x[5]; }};\n{ONE}"
    "a[1] = sizeof(table);\n",
    "C calculates with the 40 bits of 'l'": "struct { unsigned long l : 40; } own = {1};\n"
    f"{ONE}    a[1] = @own.l << 39;\n",
    "a bit-field of an enumeration": f"struct {{ enum mode @m : 2; }} own = {{plain}};\n{ONE}"
    "a[1] = own.m;\n",
    "the function of a task has another name": body("a[i] = sizeof @__func__;"),
    "'__PRETTY_FUNCTION__' holds": f"a[1] = sizeof @__PRETTY_FUNCTION__;\n{ONE}",
    "this enumeration is unsigned in C": "#define DEFINE enum macro {none, one}\nDEFINE;\n"
    f"enum macro own = one;\n{ONE}    a[1] = @own - 2 < 0;\n",
    "which evaluates this condition": f"{ONE}}}\n@#ifdef __cplusplus\n#define K 1\n#else\n"
    "#define K 2\n#endif\nvoid none(void)\n{\n",
    "Clang, which reads the program, and the compiler evaluate": body(
        "@#ifdef __clang__\na[i] = 1;\n#else\na[i] = 2;\n#endif"
    ),
    "C++ has no '_Generic'": f"a[1] = @_Generic(n, int: 1, default: 2);\n{ONE}",
    "has no room for the text's final zero": f'    char @own[3] = "abc";\n{ONE}a[1] = own[1];\n',
    "C++ has no '_Atomic'": f"_Atomic int @own = 1;\n{ONE}    a[1] = own;\n",
    "does not know it outside;": "struct outer { struct inner { int x; } of; };\n"
    f"struct @inner own = {{1}};\n{ONE}    a[1] = own.x;\n",
    "'late' is defined twice": f"{ONE}}}\nint late = 1;\nint later;\nvoid none(void)\n{{\n".replace(
        "int late = 1", "int late;\nint @late = 1"
    ),
    "has keywords in its brackets": f"{ONE}}}\nvoid none(double @own[static 4])\n{{\nown[0] = 1;\n",
    "has a length that is not a constant, which C++": f"{ONE}}}\n"
    "void none(int n, double @own[n][n])\n{\nown[0][0] = n;\n",
    "no types of parameters behind the parentheses": f"{ONE}}}\nvoid @none(x)\nint x;\n{{\nx++;\n",
    "is declared without its parameters": f"void none();\n@none(1);\n{ONE}",
    "implicit declaration of function 'none'": f"@none(1);\n{ONE}",
    "incompatible pointer types": f"int *own = 0;\ndouble *@p = own;\n{ONE}a[1] = *p;\n",
    "discards qualifiers": f"const double *own = a;\ndouble *@p = own;\n{ONE}    *p = 1;\n",
    "a conversion from 'void *' in a macro": "#define GET(p) p = malloc(8)\n"
    f"double *own;\nGET(@own);\n{ONE}    free(own);\n".replace("GET(@own)", "@GET(own)"),
    "a conversion to another type of number in a macro": "#define ROOT(x) sqrt(*(x))\n"
    + body("float x = 2;\na[i] = @ROOT(&x);"),
    "a namespace of the generated source": f"{ONE}}}\nint @std;\nvoid none(void)\n{{\nstd++;\n",
}

REFUSED |= {
    "does not allow a second 'i' in the body": "for (int i = 0; i < 2; i++) {\nint @i = 7;\n"
    f"a[1] += i;\n}}\n{ONE}",
    "C++ has one 'sin' for each type of number": f"{ONE}    a[1] = (n > 3 ? @sin : cos)(a[1]);\n",
    "C++ has one 'div' for each type of number": f"{ONE}    a[1] = div(@7L, 2).quot;\n",
    "'strchr' of constant memory": f"{ONE}}}\n#include <string.h>\nvoid none(const char *text)\n"
    "{\nchar *p = @strchr(text, 'b');\n*p = 0;\n",
    "'strstr' of constant memory": f"{ONE}}}\n#include <string.h>\nchar *none(char *p)\n{{\n"
    '    if (strchr("abc", *p)) p = (char *)strchr("abc", *p);\n'
    "const char *text = strchr(p, 'b');\nreturn @strstr(text, p);\n",
    "a text with 'u8' has another type": f'    const char *own = @u8"abc";\n{ONE}a[1] = own[1];\n',
    "'t' is a type in this structure": "typedef int t;\nstruct w { t *x, @t; } own = {0, 1};\n"
    f"{ONE}    a[1] = own.t;\n",
    "'gnu_inline' leaves no function": f"{ONE}}}\n"
    "inline __attribute__((gnu_inline)) int @none(void)\n{\nreturn 1;\n",
}

# Macros and names of lines that mean something else in a copy of the code.
REFUSED |= {
    "macro 'scratch' is used by a region": "#define @scratch 3\n" + body("a[i] += scratch;"),
    "macro 'SIZE' means different things": in_region("#pragma omp task\nsized(a);")
    + "}\n#undef SIZE\n#define @SIZE 5\nvoid sized(double *p)\n{\np[0] = SIZE;\n",
    "'__LINE__' in a task": body("a[i] += @__LINE__;"),
    "'__LINE__' in a region": in_region(
        "int at = @__LINE__;\n#pragma omp task firstprivate(at)\na[0] = at;"
    ),
    "not an iterator": in_region(
        "#pragma omp task depend(@iterator(k = 0:4), in: a[k])\na[0] = 1;"
    ),
    "not 'depobj'; name the storage": in_region("#pragma omp task depend(@depobj: a)\na[0] = 1;"),
}

# Forms whose translation would silently compute something else.
REFUSED |= {
    "'parallel for' with tasks in it": "@#pragma omp parallel for\nfor (int i = 0; i < n; i++) {\n"
    f"#pragma omp task firstprivate(i)\na[i] = 1;\n}}\n{ONE}",
    "'target teams' with tasks in it": "@#pragma omp target teams map(tofrom: a[0:n])\n"
    f"#pragma omp parallel\n{ONE_TASK}",
    "'target' with tasks in it may hold only": "@#pragma omp target map(tofrom: a[0:n])\n{\n"
    f"a[1] = 2;\n#pragma omp parallel\n{ONE_TASK}}}\n",
    "directive 'target data' is not supported": "@#pragma omp target data map(tofrom: a[0:n])\n{\n"
    f"{ONE}    }}\n",
    "directive 'target update' is not supported": f"{ONE}@#pragma omp target update from(a[0:n])\n",
    "'own' is set in the region, which uses a copy": "struct pair own = {1, 2};\n"
    + in_region("own.count = 3;\n#pragma omp task firstprivate(own)\na[0] = own.count;").replace(
        "#pragma omp target", "@#pragma omp target", 1
    )
    + "a[1] = own.count;\n",
    "a task writes 'rounds', which is not mapped": body("int *p = &@rounds;\na[i] = (*p)++;"),
    "a static variable in code that makes tasks": in_region(
        "static int @at = 0;\nat++;\n#pragma omp task firstprivate(at)\na[at] = 1;"
    ),
    "the address of array 'table' as a whole": body("double (*p)[4] = @&table;\na[i] = (*p)[1];"),
    "a parallel loop needs an integer variable": body(
        "#pragma omp parallel for\n@for (double *p = a + i; p < a + i + 6; p++) *p += 1;"
    ),
    "a function with a parallel loop is called in a condition": body(
        "if (@summed(a + i, 6) > 3) a[i] = 1;"
    ),
    "this has a type without a name": f"@#pragma omp target parallel map(tofrom: a[0:n])\n{SINGLE}"
    "a[0] = nameless.x;\n}\n",
}
