/* Cholesky decomposition by tiles, with `parallel` and `single` as in many public codes. Juggler's own
 * directive names the arrays; other compilers ignore it.
 *
 *   cholesky [tiles] [side]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void potrf(double *a, int n)
{
    for (int k = 0; k < n; k++) {
        a[k * n + k] = sqrt(a[k * n + k]);
        #pragma omp parallel for
        for (int i = k + 1; i < n; i++)
            a[i * n + k] /= a[k * n + k];
        #pragma omp parallel for
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j <= i; j++)
                a[i * n + j] -= a[i * n + k] * a[j * n + k];
    }
}

static void trsm(const double *diag, double *b, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            double x = b[i * n + k];
            for (int j = 0; j < k; j++)
                x -= b[i * n + j] * diag[k * n + j];
            b[i * n + k] = x / diag[k * n + k];
        }
}

/* c -= a b'. The lower half of a diagonal tile is enough, but all of it is computed. */
static void gemm(const double *a, const double *b, double *c, int n)
{
    #pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i * n + j] -= a[i * n + k] * b[j * n + k];
}

static void decompose(double *a, int tiles, int n)
{
    int t = n * n;
#define TILE(i, j) (((i) * tiles + (j)) * t)
    #pragma juggler target map(tofrom: a[0:tiles * tiles * t])
    #pragma omp parallel
    #pragma omp single
    for (int k = 0; k < tiles; k++) {
        #pragma omp task depend(inout: a[TILE(k, k):t])
        potrf(a + TILE(k, k), n);
        for (int i = k + 1; i < tiles; i++) {
            #pragma omp task depend(in: a[TILE(k, k):t]) depend(inout: a[TILE(i, k):t])
            trsm(a + TILE(k, k), a + TILE(i, k), n);
        }
        for (int i = k + 1; i < tiles; i++)
            for (int j = k + 1; j <= i; j++) {
                #pragma omp task depend(in: a[TILE(i, k):t], a[TILE(j, k):t]) depend(inout: a[TILE(i, j):t])
                gemm(a + TILE(i, k), a + TILE(j, k), a + TILE(i, j), n);
            }
    }
}

int main(int argc, char **argv)
{
    int tiles = argc > 1 ? atoi(argv[1]) : 5;
    int n = argc > 2 ? atoi(argv[2]) : 8;
    int all = tiles * tiles * n * n;
    double *a = malloc(all * sizeof *a);
    for (int c = 0; c < all; c++)
        a[c] = (c * 29 % 83) / 83.0;
    for (int k = 0; k < tiles; k++)
        for (int i = 0; i < n; i++)
            a[(k * tiles + k) * n * n + i * n + i] += tiles * n;
    decompose(a, tiles, n);
    double sum = 0;
    for (int bi = 0; bi < tiles; bi++)
        for (int bj = 0; bj <= bi; bj++)
            for (int i = 0; i < n; i++)
                for (int j = 0; j < (bi == bj ? i + 1 : n); j++)
                    sum += a[(bi * tiles + bj) * n * n + i * n + j] * (i - 2 * j);
    printf("%.15g %.15g\n", sum, a[all - 1]);
    free(a);
    return 0;
}
