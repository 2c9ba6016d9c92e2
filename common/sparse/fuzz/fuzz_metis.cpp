// METIS graphs: what is read is symmetric, and without self edges.

#include "fuzz_target.hpp"
#include "gridloom/sparse/graph_text.hpp"

namespace gridloom::fuzz {
namespace {

std::string first_flaw(sparse::any_csr const& any) {
  std::string const self_edge = std::visit(
      [](auto const& graph) -> std::string {
        for (std::uint32_t row = 0; row < graph.num_rows; ++row) {
          for (std::uint32_t const column : graph.row(row)) {
            if (column == row) return "vertex " + std::to_string(row) + " has an edge to itself";
          }
        }
        return "";
      },
      any);
  return self_edge.empty() ? first_one_sided(any) : self_edge;
}

}  // namespace

outcome fuzz_one(std::span<std::uint8_t const> input) {
  return check_reader(input, sparse::read_metis, first_flaw);
}

}  // namespace gridloom::fuzz
