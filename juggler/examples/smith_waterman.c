/* Smith-Waterman alignment with affine gaps, by tiles. Depend clauses name tokens: elements of an array that
 * is never read, written or mapped. Tokens of the first tiles lie outside of the array, which is legal, since
 * depend clauses only use their addresses.
 *
 *   smith_waterman [tiles] [side]
 */
#include <stdio.h>
#include <stdlib.h>

enum { match = 5, mismatch = -3, open = 8, extend = 1 };

static int larger(int a, int b) { return a > b ? a : b; }

/* One tile, row by row: a cell needs its upper, left and upper left neighbours. */
static int tile(const char *x, const char *y, int *h, int *e, int *f, int row, int col, int side, int width)
{
    int best = 0;
    for (int i = row; i < row + side; i++)
        for (int j = col; j < col + side; j++) {
            int at = i * width + j;
            e[at] = larger(e[at - 1] - extend, h[at - 1] - open);
            f[at] = larger(f[at - width] - extend, h[at - width] - open);
            int through = h[at - width - 1] + (x[i] == y[j] ? match : mismatch);
            h[at] = larger(larger(0, through), larger(e[at], f[at]));
            best = larger(best, h[at]);
        }
    return best;
}

static void make_row(const char *x, const char *y, int *h, int *e, int *f, int *best, char *token, int bi, int tiles,
                     int side, int width);

int align(const char *x, const char *y, int *h, int *e, int *f, int *best, int tiles, int side)
{
    int width = tiles * side + 1;
    int cells = width * width;
    char *token = malloc(tiles * tiles);
    #pragma omp target parallel map(to: x[0:width], y[0:width]) map(tofrom: h[0:cells]) \
        map(tofrom: e[0:cells], f[0:cells]) map(from: best[0:tiles*tiles])
    {
        #pragma omp single
        for (int bi = 0; bi < tiles; bi++)
            make_row(x, y, h, e, f, best, token, bi, tiles, side, width);
    }
    free(token);
    int most = 0;
    for (int t = 0; t < tiles * tiles; t++)
        most = larger(most, best[t]);
    return most;
}

static void make_row(const char *x, const char *y, int *h, int *e, int *f, int *best, char *token, int bi, int tiles,
                     int side, int width)
{
    for (int bj = 0; bj < tiles; bj++) {
        int at = bi * tiles + bj;
        #pragma omp task depend(in: token[at - tiles], token[at - 1]) depend(out: token[at])
        best[at] = tile(x, y, h, e, f, bi * side + 1, bj * side + 1, side, width);
    }
}

int main(int argc, char **argv)
{
    int tiles = argc > 1 ? atoi(argv[1]) : 6;
    int side = argc > 2 ? atoi(argv[2]) : 12;
    int width = tiles * side + 1;
    char *x = malloc(width), *y = malloc(width);
    int *h = calloc(width * width, sizeof *h);
    int *e = calloc(width * width, sizeof *e);
    int *f = calloc(width * width, sizeof *f);
    int *best = malloc(tiles * tiles * sizeof *best);
    unsigned seed = 7;
    for (int i = 0; i < width; i++) {
        seed = seed * 1664525u + 1013904223u;
        x[i] = "ACGT"[seed >> 30];
        seed = seed * 1664525u + 1013904223u;
        y[i] = i % 3 ? x[i] : "ACGT"[seed >> 30];
    }
    int most = align(x, y, h, e, f, best, tiles, side);
    long sum = 0;
    for (int c = 0; c < width * width; c++)
        sum += (long)h[c] * (c % 17);
    printf("%d %ld\n", most, sum);
    return 0;
}
