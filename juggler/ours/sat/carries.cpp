#include "juggler/ours/sat/carries.hpp"

#include <string>
#include <utility>

#include "apps/grid/one_pass.hpp"

namespace gridloom::juggler::sat {

std::unique_ptr<executor> make_carries(device& machine, execution_settings const& settings,
                                       table_ref const& table) {
  tiling const& cut = table.cut;
  if (cut.tile > largest_carried_tile)
    throw unsupported("carries keeps tiles of at most " + std::to_string(largest_carried_tile) +
                      " rows, got --tile " + std::to_string(cut.tile));
  execution_settings const settled = gridloom::settled<carries_kernel>(machine, settings);
  word_store words(machine);
  auto* const row_words = words.make<carry_word>(cut.tile_rows() * cut.tile);
  auto* const col_words = words.make<carry_word>(cut.tile_cols() * cut.tile);
  tile_tickets const tickets{words.make<tile_tickets::word>(2)};
  carries_kernel const kernel{table, row_words, col_words, tickets, 0, nullptr, {}};
  return std::make_unique<one_pass<carries_kernel>>(
      machine, settled, static_cast<std::uint64_t>(cut.tiles()), std::move(words), kernel);
}

}  // namespace gridloom::juggler::sat
