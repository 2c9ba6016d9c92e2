#include "fuzz_target.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "gridloom/error.hpp"
#include "gridloom/sparse/check.hpp"
#include "gzip.hpp"
#include "memory_file.hpp"

namespace gridloom::fuzz {
namespace {

std::string fast_gzip(std::string_view text) { return test::gzip(text, 9); }

// A byte that depends on the text is inverted, anywhere but in the two that make it gzip.
void damage(std::string& packed, std::string_view text) {
  std::size_t const hash = std::hash<std::string_view>{}(text);
  char& byte = packed[2 + hash % (packed.size() - 2)];
  byte = static_cast<char>(~byte);
}

using result = std::variant<sparse::any_csr, std::string>;  // or the message of the refusal

result read_text(std::string_view file_text,
                 std::function<sparse::any_csr(std::filesystem::path const&)> const& read) {
  static memory_file const file;
  file.hold(file_text);
  std::string const name = file.name();
  try {
    sparse::any_csr matrix = read(name);
    try {
      std::visit([](auto const& m) { sparse::check(m, "matrix"); }, matrix);
    } catch (usage_error const& error) {
      throw broken_promise(std::string{"returned an invalid "} + error.what());
    }
    return matrix;
  } catch (usage_error const& error) {
    std::string message = error.what();
    if (!message.starts_with(name + ":")) {
      throw broken_promise("refused without naming the file: " + message);
    }
    if (message.find('\n') != std::string::npos) {
      throw broken_promise("refused in more than one line: " + message);
    }
    return message;
  }
}

}  // namespace

bool asks_for_many_rows(std::span<std::uint8_t const> input) {
  constexpr std::uint64_t least = std::uint64_t{1} << 17U;
  constexpr std::uint64_t most = (std::uint64_t{1} << 24U) + 1;  // as numbers from 1
  if (input.empty()) return false;
  std::uint64_t number = 0;
  for (std::uint8_t const byte : input.subspan(1)) {
    if (byte >= '0' && byte <= '9') {
      number = std::min(number * 10 + (byte - std::uint64_t{'0'}), 2 * most);
    } else {
      if (number >= least && number <= most) return true;
      number = 0;
    }
  }
  return number >= least && number <= most;
}

outcome check_reader(std::span<std::uint8_t const> input,
                     std::function<sparse::any_csr(std::filesystem::path const&)> const& read,
                     std::function<std::string(sparse::any_csr const&)> const& extra) {
  if (input.empty()) return outcome::refused;
  std::string_view const text{reinterpret_cast<char const*>(input.data() + 1), input.size() - 1};
  result const plain = read_text(text, read);
  unsigned const form = input.front() & 3U;
  if (form == 1 || form == 2) {
    std::size_t const cut = form == 1 ? text.size() : text.size() / 2;
    std::string const packed =
        fast_gzip(text.substr(0, cut)) + (form == 1 ? "" : fast_gzip(text.substr(cut)));
    if (read_text(packed, read) != plain) throw broken_promise("gzip differs from the plain text");
  } else if (form == 3) {
    std::string packed = fast_gzip(text);
    damage(packed, text);
    (void)read_text(packed, read);
  }
  if (plain.index() == 1) return outcome::refused;
  if (extra) {
    std::string const wrong = extra(std::get<0>(plain));
    if (!wrong.empty()) throw broken_promise(wrong);
  }
  return outcome::read;
}

std::string first_one_sided(sparse::any_csr const& any) {
  return std::visit(
      [](auto const& matrix) -> std::string {
        for (std::uint32_t row = 0; row < matrix.num_rows; ++row) {
          for (std::uint64_t e = matrix.row_offsets[row]; e < matrix.row_offsets[row + 1U]; ++e) {
            auto const other = matrix.row(matrix.columns[e]);
            auto const back = std::lower_bound(other.begin(), other.end(), row);
            bool sound = back != other.end() && *back == row;
            if (sound && !matrix.values.empty()) {
              auto const place = &*back - matrix.columns.data();
              sound = matrix.values[static_cast<std::size_t>(place)] == matrix.values[e];
            }
            if (!sound) {
              return "entry (" + std::to_string(row) + ", " + std::to_string(matrix.columns[e]) +
                     ") has no equal across the diagonal";
            }
          }
        }
        return "";
      },
      any);
}

}  // namespace gridloom::fuzz
