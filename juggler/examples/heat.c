/* Heat in place (Gauss-Seidel): each tile uses new values from above and from the left, and old values
 * from below and from the right. Fields and sizes are global variables.
 *
 *   heat [tiles] [steps]
 */
#include <stdio.h>
#include <stdlib.h>

#define SIDE 16

double *field;
int width;

static void relax(int row, int col)
{
    for (int i = row; i < row + SIDE; i++)
        for (int j = col; j < col + SIDE; j++) {
            int at = i * width + j;
            field[at] = 0.2 * (field[at] + field[at - 1] + field[at + 1] + field[at - width] + field[at + width]);
        }
}

static void heat(int tiles, int steps, int *token)
{
    int t, i, j;
    #pragma omp target parallel map(tofrom: field[0:width*width]) private(t, i, j)
    {
        #pragma omp single
        for (t = 0; t < steps; t++)
            for (i = 1; i <= tiles; i++)
                for (j = 1; j <= tiles; j++) {
                    int across = tiles + 2;
                    int at = i * across + j;
                    #pragma omp task depend(in: token[at - 1], token[at + 1], token[at - across]) \
                        depend(in: token[at + across]) depend(inout: token[at])
                    relax((i - 1) * SIDE + 1, (j - 1) * SIDE + 1);
                }
    }
}

int main(int argc, char **argv)
{
    int tiles = argc > 1 ? atoi(argv[1]) : 4;
    int steps = argc > 2 ? atoi(argv[2]) : 5;
    width = tiles * SIDE + 2;
    field = malloc(width * width * sizeof *field);
    int *token = malloc((tiles + 2) * (tiles + 2) * sizeof *token);
    for (int c = 0; c < width * width; c++)
        field[c] = c < width ? 100 : (c * 31 % 97) / 97.0;
    heat(tiles, steps, token);
    /* Runs the region again. */
    heat(tiles, 1, token);
    double sum = 0;
    for (int c = 0; c < width * width; c++)
        sum += field[c] * (c % 11);
    printf("%.15g\n", sum);
    free(field);
    free(token);
    return 0;
}
