/* LU decomposition without pivoting, by tiles (Listing 3 of the paper as a program). A tile is contiguous.
 * The tasks are those of juggler's application `lud`.
 *
 *   lud [tiles] [side] [repeat]    rows of tiles, rows of a tile
 *
 * Prints sums of the factors, which are the same for any order that the dependences allow. */
#include "measure.h"

/* The diagonal tile is replaced by its factors. */
static void lu0(double *diag, int n)
{
    for (int k = 0; k < n; k++) {
        #pragma omp parallel for
        for (int i = k + 1; i < n; i++) {
            diag[i * n + k] /= diag[k * n + k];
            for (int j = k + 1; j < n; j++)
                diag[i * n + j] -= diag[i * n + k] * diag[k * n + j];
        }
    }
}

/* A tile to the right of the diagonal: its columns are solved independently. */
static void fwd(const double *diag, double *col, int n)
{
    #pragma omp parallel for
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            for (int i = k + 1; i < n; i++)
                col[i * n + j] -= diag[i * n + k] * col[k * n + j];
}

/* A tile below the diagonal: its rows are solved independently. */
static void bdiv(const double *diag, double *row, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            row[i * n + k] /= diag[k * n + k];
            for (int j = k + 1; j < n; j++)
                row[i * n + j] -= row[i * n + k] * diag[k * n + j];
        }
}

static void bmod(const double *row, const double *col, double *inner, int n)
{
    #pragma omp parallel for
    for (int e = 0; e < n * n; e++) {
        int i = e / n, j = e % n;
        double sum = inner[e];
        for (int k = 0; k < n; k++)
            sum -= row[i * n + k] * col[k * n + j];
        inner[e] = sum;
    }
}

static void decompose(double *a, int nBlocks, int side)
{
    int bSize = side * side;
    int mSize = nBlocks * nBlocks * bSize;
    int kk, ii, jj;
    #pragma omp target parallel map(tofrom: a[0:mSize]) private(kk, ii, jj)
    {
        #pragma omp single
        for (kk = 0; kk < nBlocks; kk++) {
            int diagBlock = kk * nBlocks * bSize + kk * bSize;
            #pragma omp task firstprivate(diagBlock) shared(a) \
                depend(inout: a[diagBlock:bSize])
            lu0(&(a[diagBlock]), side);
            for (jj = kk + 1; jj < nBlocks; jj++) {
                int colBlock = kk * nBlocks * bSize + jj * bSize;
                #pragma omp task firstprivate(diagBlock, colBlock) shared(a) \
                    depend(in: a[diagBlock:bSize]) depend(inout: a[colBlock:bSize])
                fwd(&(a[diagBlock]), &(a[colBlock]), side);
            }
            for (ii = kk + 1; ii < nBlocks; ii++) {
                int rowBlock = ii * nBlocks * bSize + kk * bSize;
                #pragma omp task firstprivate(diagBlock, rowBlock) shared(a) \
                    depend(in: a[diagBlock:bSize]) depend(inout: a[rowBlock:bSize])
                bdiv(&(a[diagBlock]), &(a[rowBlock]), side);
            }
            for (ii = kk + 1; ii < nBlocks; ii++)
                for (jj = kk + 1; jj < nBlocks; jj++) {
                    int rowBlock = ii * nBlocks * bSize + kk * bSize;
                    int colBlock = kk * nBlocks * bSize + jj * bSize;
                    int inner = ii * nBlocks * bSize + jj * bSize;
                    #pragma omp task firstprivate(rowBlock, colBlock, inner) shared(a) \
                        depend(in: a[rowBlock:bSize], a[colBlock:bSize]) depend(inout: a[inner:bSize])
                    bmod(&(a[rowBlock]), &(a[colBlock]), &(a[inner]), side);
                }
        }
    }
}

int main(int argc, char **argv)
{
    int tiles = argument(argc, argv, 1, 4), side = argument(argc, argv, 2, 16);
    int repeat = argument(argc, argv, 3, 1);
    int all = tiles * tiles * side * side;
    double *a = malloc(all * sizeof *a);
    for (int k = 0; k < repeat; k++) {
        unsigned seed = 1;
        for (int i = 0; i < all; i++)
            a[i] = next_random(&seed) / 16777216.0;
        /* A dominant diagonal keeps all pivots large. */
        for (int t = 0; t < tiles; t++)
            for (int i = 0; i < side; i++)
                a[(t * tiles + t) * side * side + i * side + i] += tiles * side;
        double begin = now_ms();
        decompose(a, tiles, side);
        tell_region(begin);
    }
    double sum = 0, weighted = 0;
    for (int i = 0; i < all; i++) {
        sum += a[i];
        weighted += a[i] * (i % 101 - 50);
    }
    printf("%.15g %.15g %.15g\n", sum, weighted, a[all - 1]);
    free(a);
    return 0;
}
