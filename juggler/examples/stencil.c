/* A five-point stencil between two fields that are swapped after each step. The pointers are firstprivate:
 * each task keeps the two that were current when it was made.
 *
 *   stencil [rows] [steps] [rows of a strip]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void strip(const double *from, double *to, int first, int last, int n)
{
    #pragma omp parallel for collapse(2)
    for (int i = first; i < last; i++)
        for (int j = 1; j < n - 1; j++)
            to[i * n + j] = 0.25 * (from[(i - 1) * n + j] + from[(i + 1) * n + j] +
                                    from[i * n + j - 1] + from[i * n + j + 1]);
}

/* The first element of strip s, and their number. */
static int begin(int s, int n, int height) { return (1 + s * height) * n; }
static int length(int s, int n, int height)
{
    int rows = n - 2 - s * height;
    return (rows < height ? rows : height) * n;
}

static void smooth(double *a, double *b, double *change, int n, int steps, int height)
{
    int strips = (n - 2 + height - 1) / height;
    #pragma omp target parallel map(tofrom: a[0:n*n]) map(tofrom: b[0:n*n]) map(from: change[0:strips])
    {
        #pragma omp single
        {
            double *from = a, *to = b;
            for (int t = 0; t < steps; t++) {
                for (int s = 0; s < strips; s++) {
                    int up = s > 0 ? s - 1 : s, down = s < strips - 1 ? s + 1 : s;
                    int first = 1 + s * height;
                    int last = first + height < n - 1 ? first + height : n - 1;
                    #pragma omp task firstprivate(from, to, first, last) \
                        depend(in: from[begin(up, n, height):length(up, n, height)]) \
                        depend(in: from[begin(s, n, height):length(s, n, height)]) \
                        depend(in: from[begin(down, n, height):length(down, n, height)]) \
                        depend(out: to[begin(s, n, height):length(s, n, height)])
                    strip(from, to, first, last, n);
                }
                double *other = from;
                from = to;
                to = other;
            }
            for (int s = 0; s < strips; s++) {
                int first = 1 + s * height;
                int last = first + height < n - 1 ? first + height : n - 1;
                #pragma omp task firstprivate(from, to, first, last, s) \
                    depend(in: from[begin(s, n, height):length(s, n, height)]) \
                    depend(in: to[begin(s, n, height):length(s, n, height)]) \
                    depend(out: change[s])
                {
                    double most = 0;
                    #pragma omp parallel for reduction(max: most)
                    for (int c = first * n; c < last * n; c++) {
                        double d = fabs(from[c] - to[c]);
                        if (d > most) most = d;
                    }
                    change[s] = most;
                }
            }
        }
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 66;
    int steps = argc > 2 ? atoi(argv[2]) : 7;
    int height = argc > 3 ? atoi(argv[3]) : 9;
    int strips = (n - 2 + height - 1) / height;
    double *a = malloc(n * n * sizeof *a);
    double *b = malloc(n * n * sizeof *b);
    double *change = malloc(strips * sizeof *change);
    for (int c = 0; c < n * n; c++)
        a[c] = b[c] = c < n ? 1.0 : (c * 37 % 101) / 101.0;
    smooth(a, b, change, n, steps, height);
    double sum = 0, most = 0;
    for (int c = 0; c < n * n; c++)
        sum += a[c] * (c % 13) + b[c] * (c % 7);
    for (int s = 0; s < strips; s++)
        most = change[s] > most ? change[s] : most;
    printf("%.15g %.15g\n", sum, most);
    free(a);
    free(b);
    free(change);
    return 0;
}
