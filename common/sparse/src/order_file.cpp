#include "gridloom/sparse/order_file.hpp"

#include <algorithm>
#include <string>

#include "gridloom/files/atomic_file.hpp"
#include "gridloom/parse.hpp"
#include "text_lines.hpp"

namespace gridloom::sparse {
namespace {

// One line of the file into the order.
void take_order_line(std::filesystem::path const& path, std::uint64_t number, cursor line,
                     std::vector<std::uint32_t>& order, std::vector<bool>& seen) {
  cursor const whole = line;
  skip_blanks(line);
  if (line.done() || *line.at == '#') return;
  std::uint64_t row = 0;
  bool const read = take_unsigned(line, row);
  skip_blanks(line);
  if (!read || !line.done() || row >= seen.size()) {
    refuse_line(path, number,
                "expected a row number from 0 to " + std::to_string(seen.size()) + " - 1, got " +
                    in_quotes(whole.rest()));
  }
  if (seen[row]) {
    refuse_line(path, number, "expected each row once, got " + std::to_string(row) + " again");
  }
  seen[row] = true;
  order.push_back(static_cast<std::uint32_t>(row));
}

}  // namespace

std::vector<std::uint32_t> read_order(std::filesystem::path const& path, std::uint32_t count) {
  text_source source{path};
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(count, false);
  std::uint64_t const last = for_each_line(source, [&](cursor line, std::uint64_t number) {
    take_order_line(path, number, line, order, seen);
  });
  if (order.size() != count) {
    refuse_line(
        path, last,
        "expected " + std::to_string(count) + " row numbers, got " + std::to_string(order.size()));
  }
  return order;
}

void write_order(std::filesystem::path const& path, std::span<std::uint32_t const> order) {
  std::size_t next = 0;
  replace_file(path, [&](std::vector<std::byte>& piece) {
    std::string text;
    std::size_t const stop = std::min(order.size(), next + (std::size_t{1} << 16U));
    bool const more = next < stop;
    for (; next < stop; ++next) text += std::to_string(order[next]) + "\n";
    auto const bytes = std::as_bytes(std::span{text});
    piece.assign(bytes.begin(), bytes.end());
    return more;
  });
}

}  // namespace gridloom::sparse
