/* Integral histogram: for each bin, the number of pixels above and to the left of a pixel that fall into it.
 * There are two passes of tasks: tiles along rows, then strips down the columns. In depend clauses, the rows
 * of the first bin stand for those of all bins.
 *
 *   integral_histogram [rows] [side of a tile]
 */
#include <stdio.h>
#include <stdlib.h>

enum { bins = 4 };

static void histogram(const unsigned char *pixels, unsigned *sums, int n, int side)
{
    int tiles = n / side;
    #pragma omp target parallel map(to: pixels[0:n*n]) map(from: sums[0:bins*n*n])
    {
        #pragma omp single
        {
            for (int ti = 0; ti < tiles; ti++)
                for (int tj = 0; tj < tiles; tj++) {
                    #pragma omp task depend(inout: sums[ti * side * n:side * n])
                    {
                        int row = ti * side, col = tj * side;
                        #pragma omp parallel for collapse(2)
                        for (int b = 0; b < bins; b++)
                            for (int i = row; i < row + side; i++) {
                                unsigned *line = sums + (b * n + i) * n;
                                unsigned so_far = col > 0 ? line[col - 1] : 0;
                                for (int j = col; j < col + side; j++)
                                    line[j] = so_far += pixels[i * n + j] * bins / 256 == b;
                            }
                    }
                }
            for (int ti = 0; ti < tiles; ti++) {
                int above = ti > 0 ? (ti - 1) * side * n : 0;
                #pragma omp task depend(in: sums[above:side * n]) depend(inout: sums[ti * side * n:side * n])
                {
                    int first = ti > 0 ? ti * side : 1, last = ti * side + side;
                    #pragma omp parallel for collapse(2) schedule(static)
                    for (int b = 0; b < bins; ++b)
                        for (int j = n - 1; j >= 0; --j)
                            for (int i = first; i < last; ++i)
                                sums[(b * n + i) * n + j] += sums[(b * n + i - 1) * n + j];
                }
            }
        }
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 48;
    int side = argc > 2 ? atoi(argv[2]) : 12;
    unsigned char *pixels = malloc(n * n);
    unsigned *sums = malloc(bins * n * n * sizeof *sums);
    unsigned seed = 3;
    for (int c = 0; c < n * n; c++) {
        seed = seed * 1664525u + 1013904223u;
        pixels[c] = seed >> 24;
    }
    histogram(pixels, sums, n, side);
    unsigned long all = 0;
    for (int c = 0; c < bins * n * n; c++)
        all += (unsigned long)sums[c] * (c % 19);
    printf("%lu %u\n", all, sums[n * n - 1]);
    free(pixels);
    free(sums);
    return 0;
}
