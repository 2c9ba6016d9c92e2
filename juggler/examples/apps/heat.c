/* Heat simulation in place (Gauss-Seidel): a cell becomes the mean of its neighbours. Those above and to the
 * left already have the new step's values. A tile is contiguous; the outermost cells of the field are fixed.
 * The tasks are those of juggler's application `heat`.
 *
 *   heat [tiles] [side] [steps] [repeat]    rows of tiles, rows of a tile
 */
#include "measure.h"

/* The cells of a diagonal are independent. */
static void relax(double *u, int i, int j, int tiles, int side)
{
    long cells = side * side;
    double *own = u + (i * tiles + j) * cells;
    double *above = own - tiles * cells + (side - 1) * side;
    double *below = own + tiles * cells;
    int first_row = i == 0, last_row = side - (i == tiles - 1);
    int first_col = j == 0, last_col = side - (j == tiles - 1);
    for (int d = first_row + first_col; d <= last_row + last_col - 2; d++) {
        int first = d - last_col + 1 > first_row ? d - last_col + 1 : first_row;
        int last = d - first_col < last_row - 1 ? d - first_col : last_row - 1;
        #pragma omp parallel for
        for (int r = first; r <= last; r++) {
            int c = d - r, at = r * side + c;
            double up = r > 0 ? own[at - side] : above[c];
            double left = c > 0 ? own[at - 1] : own[at + side - 1 - cells];
            double right = c < side - 1 ? own[at + 1] : own[at - side + 1 + cells];
            double down = r < side - 1 ? own[at + side] : below[c];
            own[at] = 0.25 * ((up + left) + (right + down));
        }
    }
}

static void simulate(double *u, int tiles, int side, int steps)
{
    long cells = (long)side * side;
    #pragma omp target parallel map(tofrom: u[0:tiles * tiles * cells])
    #pragma omp single
    for (int step = 0; step < steps; step++)
        for (int i = 0; i < tiles; i++)
            for (int j = 0; j < tiles; j++) {
                /* Without a neighbour, the tile itself takes its place. */
                long own = (i * tiles + j) * cells;
                long above = i > 0 ? own - tiles * cells : own, left = j > 0 ? own - cells : own;
                long below = i < tiles - 1 ? own + tiles * cells : own, right = j < tiles - 1 ? own + cells : own;
                #pragma omp task depend(in: u[above:cells], u[left:cells], u[right:cells], u[below:cells]) \
                    depend(inout: u[own:cells])
                relax(u, i, j, tiles, side);
            }
}

int main(int argc, char **argv)
{
    int tiles = argument(argc, argv, 1, 4), side = argument(argc, argv, 2, 8);
    int steps = argument(argc, argv, 3, 1), repeat = argument(argc, argv, 4, 1);
    long all = (long)tiles * tiles * side * side;
    double *u = malloc(all * sizeof *u);
    for (int k = 0; k < repeat; k++) {
        unsigned seed = 1;
        for (long c = 0; c < all; c++)
            u[c] = next_random(&seed) / 16777216.0;
        double begin = now_ms();
        simulate(u, tiles, side, steps);
        tell_region(begin);
    }
    double sum = 0;
    for (long c = 0; c < all; c++)
        sum += u[c] * (c % 101 - 50);
    printf("%.15g %.15g\n", sum, u[all / 2]);
    free(u);
    return 0;
}
