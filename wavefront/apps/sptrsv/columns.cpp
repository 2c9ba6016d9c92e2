#include "columns.hpp"

namespace gridloom::wavefront::sptrsv {

bench::schema<row> columns() {
  return {
      {"method", "1", "who solves, see --list", &row::method},
      {"matrix", "1", "file or generator", &row::matrix},
      {"factor", "1", "what L is made of", &row::factor},
      {"values", "1", "stored or made", &row::values},
      {"rows", "1", "rows of L", &row::rows},
      {"entries", "1", "entries of L with its diagonal", &row::entries},
      {"levels", "1", "rows on the longest path", &row::levels},
      {"widest_level", "1", "rows of the largest level", &row::widest_level},
      {"longest_row", "1", "entries of the longest row", &row::longest_row},
      {"bytes", "B", "L, b and x once, in compressed rows", &row::bytes},
      {"blocks", "1", "thread blocks or host threads", &row::blocks},
      {"threads", "1", "threads of a block", &row::threads},
      {"narrow", "1", "rounds of a level that is put into a pack", &row::narrow},
      {"gate", "1", "levels ahead of a round that waits by one word", &row::gate},
      {"flat_warps", "1", "warps of a block for rounds outside packs; 0: all", &row::flat_warps},
      {"entries_a_lane", "1", "entries above which a row has more lanes", &row::entries_a_lane},
      {"memory_bytes", "B", "L as stored, the vectors, and what else it took", &row::memory_bytes},
      {"rounds", "1", "rounds of a warp", &row::rounds},
      {"padded_entries", "1", "entries that are none", &row::padded_entries},
      {"near_rows", "1", "rows in packs", &row::near_rows}};
}

}  // namespace gridloom::wavefront::sptrsv
