"""Whole programs for juggler-cc."""

from juggler_cc_parts import FIRST_TASK

# {reason: C++ program that is refused}
REFUSED_CPP = {
    "cannot be copied byte by byte; map the array": "#include <vector>\nvoid f() {\n"
    "std::vector<double> v(4);\n#pragma omp target parallel map(tofrom: @v)\n#pragma omp single\n"
    "{\n#pragma omp task\nv[0] = 1;\n}\n}\n",
    "a region in a template": "template <class T> void f(T* a) {\n"
    "@#pragma omp target parallel map(tofrom: a[0:4])\n#pragma omp single\n{\n"
    "#pragma omp task depend(inout: a[0])\na[0] = 1;\n}\n}\nvoid g(int* a) { f(a); }\n",
    "a region in a member function": "struct s { int* a; void f(int* a) {\n"
    "@#pragma omp target parallel map(tofrom: a[0:4])\n#pragma omp single\n{\n"
    "#pragma omp task depend(inout: a[0])\na[0] = 1;\n}\n} };\n",
    "a lambda in a task": f"void f(int* a) {{\n{FIRST_TASK}{{ auto g = @[](int x) {{ return x; }};"
    " a[0] = g(1); }\n}\n}\n",
    "exceptions in a task": f"void f(int* a) {{\n{FIRST_TASK}if (a[0]) @throw 1;\n}}\n}}\n",
    "memory is not allocated in a task": f"void f(int* a) {{\n{FIRST_TASK}a[0] = *@new int(1);\n"
    "}\n}\n",
    "'id' is a template": "template <class T> T id(T x) { return x; }\nvoid f(int* a) {\n"
    f"{FIRST_TASK}a[0] = @id(1);\n}}\n}}\n",
    "makes tasks and calls itself": "void f(int* a, int n) {\n"
    "#pragma omp task depend(inout: a[n])\na[n] = n;\nif (n > 0) @f(a, n - 1);\n}\n"
    "void g(int* a) {\n#pragma omp target parallel map(tofrom: a[0:4])\n#pragma omp single\n"
    "f(a, 3);\n}\n",
    "'back' makes tasks and calls itself": "void back(int* a, int n);\n"
    "void there(int* a, int n) {\n#pragma omp task depend(inout: a[n])\na[n] = n;\n"
    "@back(a, n - 1);\n}\nvoid back(int* a, int n) {\nif (n > 0) there(a, n);\n}\n"
    "void g(int* a) {\n#pragma omp target parallel map(tofrom: a[0:4])\n#pragma omp single\n"
    "back(a, 3);\n}\n",
    "member functions are not supported": "struct s { int x; int get() const { return x; } };\n"
    f"void f(int* a, s v) {{\n{FIRST_TASK}a[0] = @v.get();\n}}\n}}\n",
    "'max' of the C++ library": f"#include <algorithm>\nvoid f(int* a) {{\n{FIRST_TASK}"
    "a[0] = @std::max(a[0], 2);\n}\n}\n",
    "operators of a program's own": "struct v { double x; };\n"
    f"v operator+(v a, v b) {{ return {{a.x + b.x}}; }}\nvoid f(v* a) {{\n{FIRST_TASK}"
    "a[0] = @a[0] + a[0];\n}\n}\n",
    "constructors are not supported": "struct v { double x; explicit v(double y) : x(y) {} };\n"
    f"void f(v* a) {{\n{FIRST_TASK}{{ v @own(2); a[0].x = own.x; }}\n}}\n}}\n",
    "a region in a lambda": "void f(double* a) {\nauto g = [&](int n) {\n"
    "@#pragma omp target parallel map(tofrom: a[0:n])\n#pragma omp single\n{\n"
    "#pragma omp task depend(inout: a[0])\na[0] = 1;\n}\n};\ng(4);\n}\n",
    "tasks use this 'g' and another one": "namespace one { double g(double x) { return x; } }\n"
    f"double @g(double x) {{ return x + 1; }}\nvoid f(double* a) {{\n{FIRST_TASK}"
    "a[0] = one::g(1) + g(2);\n}\n}\n",
    "tasks use this 'real' and another one": "typedef float real;\n"
    "void g(double* p) { @real x = 1; *p += x; }\nvoid f(double* a) {\ndouble real = 2;\n"
    f"{FIRST_TASK}{{ a[0] += real; g(a); }}\n}}\n}}\n",
    "a loop over a container": "#include <vector>\nvoid f(int* a, std::vector<int>& all) {\n"
    "#pragma omp target parallel map(tofrom: a[0:4])\n#pragma omp single\n@for (int i : all) {\n"
    "#pragma omp task depend(inout: a[i])\na[i] = 1;\n}\n}\n",
}

# Programs that are translated. Some regions run several times, are entered by host threads, or make
# tasks in functions. Other programs use namespaces, references, linkage and constants of C++.
WHOLE = {
    "entered_by_host_threads.c": """\
#include <stdio.h>
#include <stdlib.h>
static void work(double *a, int n)
{
    #pragma omp target parallel map(tofrom: a[0:n])
    #pragma omp single
    for (int i = 0; i < n; i += 10) {
        #pragma omp task depend(inout: a[i:10])
        for (int j = i; j < i + 10; j++) a[j] += j;
        #pragma omp task depend(inout: a[0:1]) depend(in: a[i:10])
        a[0] += a[i + 5];
    }
}
int main(void)
{
    enum { M = 8, N = 200 };
    double *a = calloc(M * N, 8);
    #pragma omp parallel for num_threads(4)
    for (int k = 0; k < M; k++)
        for (int r = 0; r < 20; r++) work(a + k * N, N);
    double s = 0;
    for (int i = 0; i < M * N; i++) s += a[i] * (i % 7);
    printf("%.12g\\n", s);
    return 0;
}
""",
    "map_expression_with_a_region.c": """\
#include <stdio.h>
static int counted(int *n)
{
    #pragma omp target parallel map(tofrom: n[0:1])
    #pragma omp single
    {
        #pragma omp task
        n[0] += 3;
    }
    return n[0];
}
int main(void)
{
    int a[4] = {1, 2, 3, 4}, n = 1;
    int *p = a;
    #pragma omp target parallel map(tofrom: p[0:counted(&n)])
    #pragma omp single
    for (int i = 0; i < 4; i++) {
        #pragma omp task depend(inout: p[i])
        p[i] *= 2;
    }
    printf("%d %d %d\\n", a[0], a[3], n);
    return 0;
}
""",
    "regions.c": """\
#include <stdio.h>
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
static void move_all(int n)
{
    #pragma omp target parallel map(tofrom: cloud)
    #pragma omp master
    {
        tasks_for(0, n);
        tasks_for(n, n);
    }
}
int main(void)
{
    float sum = 0;
    move_all(8);
    weight = 2;
    limit = 20;
    move_all(16);
    for (int i = 0; i < 32; i++) sum += cloud[i].x * (i + 1) + cloud[i].y;
    printf("%g\\n", sum);
    return 0;
}
""",
    "namespace.cpp": """\
#include <cstdio>
#include <cmath>
#include <vector>
namespace lab {
template <class T> T twice(T x) { return x + x; }
namespace { struct cell { double v; int n; }; }
enum class kind { a, b };
constexpr int width = 6;
static double scale(double x, kind k) { return k == kind::a ? x * 2 : std::sqrt(x * x); }
static void fill(cell* c, int n, double by = 1.5) {
  #pragma omp parallel for
  for (int i = 0; i < n; ++i) { c[i].v += scale(by, i % 2 ? kind::a : kind::b); c[i].n++; }
}
static void run(std::vector<cell>& all, bool twice_too) {
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
        fill(c + i, width);
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
    "spaces.cpp": """\
#include <cstdio>
namespace one {
constexpr int w = 2;
static double k = 2;
struct tile { double v[6]; };
inline double value(int m) { return m == 1 ? w : k; }
static void fill(double* p, int n, double by) {
  #pragma omp parallel for
  for (int i = 0; i < n; i++) p[i] += by;
}
}
static one::tile all[4];
static void make(one::tile* x, int m) {
  #pragma omp task depend(inout: *x)
  {
    x->v[0] += one::value(m) + one::w + one::k;
    one::fill(x->v, 6, x->v[0]);
  }
}
int main() {
  int order[4] = {2, 0, 3, 1};
  #pragma omp target parallel map(tofrom: all)
  #pragma omp single
  for (int i : order) make(&all[i], i);
  for (auto& t : all) std::printf("%g %g\\n", t.v[0], t.v[5]);
}
""",
    "linkage_and_constants.cpp": """\
#include <cmath>
#include <cstdio>
constexpr int square(int x) { return x * x; }
constexpr int corner(int x) { return square(x) + 1; }
extern "C" {
void doubled(double (&a)[8], double& sum) {
  #pragma omp target parallel map(tofrom: a, sum)
  #pragma omp single
  for (int i = 0; i < 8; i++) {
    #pragma omp task depend(inout: a[i], sum)
    { a[i] *= 2; sum += std::abs(a[i]) + std::fabs(-1.0f) + std::pow(a[i], 2); }
  }
}
}
extern "C" [[gnu::noinline]] int marked(double* a) {
  #pragma omp target parallel map(tofrom: a[0:8])
  #pragma omp single
  for (int i = 0; i < square(2); i++) {
    #pragma omp task depend(inout: a[i])
    {
      double own[corner(1)] = {1, 2};
      if constexpr (sizeof own == 16) a[i] += own[i % 2] + square(i);
    }
  }
  return 1;
}
int main() {
  double a[8], sum = 1;
  for (int i = 0; i < 8; i++) a[i] = i;
  doubled(a, sum);
  std::printf("%d %g %g %g %g\\n", marked(a), a[1], a[3], a[5], sum);
}
""",
}
