#include "juggler/ours/int_hist/carries.hpp"

#include <string>
#include <utility>

#include "apps/grid/one_pass.hpp"

namespace gridloom::juggler::int_hist {

std::unique_ptr<executor> make_carries(device& machine, execution_settings const& settings,
                                       app const& table) {
  tiling const& cut = table.cut;
  if (!fits_carries(cut.tile, table.bins))
    throw unsupported("carries keeps tiles of at most " + std::to_string(largest_carried_tile) +
                      " rows, and " + std::to_string(most_carried_words) +
                      " rows times bins (half of that in tiles of more than " +
                      std::to_string(word_columns) + " rows), got --tile " +
                      std::to_string(cut.tile) + " and --bins " + std::to_string(table.bins));
  execution_settings const settled = gridloom::settled<carries_kernel>(machine, settings);
  word_store words(machine);
  auto* const row_words = words.make<carry_word>(cut.tile_rows() * table.bins * cut.tile);
  auto* const col_words = words.make<carry_word>(cut.tile_cols() * table.bins * cut.tile);
  tile_tickets const tickets{words.make<tile_tickets::word>(2)};
  carries_kernel const kernel{table, row_words, col_words, tickets, 0, nullptr, {}};
  return std::make_unique<one_pass<carries_kernel>>(
      machine, settled, static_cast<std::uint64_t>(cut.tiles()), std::move(words), kernel);
}

}  // namespace gridloom::juggler::int_hist
