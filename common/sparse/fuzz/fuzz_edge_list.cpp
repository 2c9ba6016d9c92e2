// Edge lists. Options: '4' directed, '8' numbers from 1. Undirected graphs are symmetric.

#include "fuzz_target.hpp"
#include "gridloom/sparse/graph_text.hpp"

namespace gridloom::fuzz {

outcome fuzz_one(std::span<std::uint8_t const> input) {
  if (asks_for_many_rows(input)) return outcome::refused;
  auto const [directed, one_based] = choices_of(input);
  sparse::edge_list_options const options{.undirected = !directed, .one_based = one_based};
  auto const read = [&](std::filesystem::path const& path) {
    return sparse::read_edge_list(path, options);
  };
  if (directed) return check_reader(input, read);
  return check_reader(input, read, first_one_sided);
}

}  // namespace gridloom::fuzz
