// METIS .graph files. The rows are built as their lines come; nothing is taken from the header but
// to be compared, so memory follows the text. That every edge stands at both ends is checked in one
// pass in the end, with a position in each row that moves only forward.

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gridloom/error.hpp"
#include "gridloom/sparse/graph_text.hpp"
#include "plausible.hpp"
#include "text_lines.hpp"

namespace gridloom::sparse {
namespace {

constexpr std::uint64_t most_exact_double = std::uint64_t{1} << 53U;
constexpr std::uint64_t any = ~std::uint64_t{0};

struct metis_header {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  bool has_sizes = false;
  std::uint64_t weights_a_vertex = 0;
  bool has_edge_weights = false;
  std::uint64_t line = 0;  // 0: not yet read
};

struct neighbour {
  std::uint32_t vertex;  // from 0
  double weight;
};

class metis_reader {
 public:
  explicit metis_reader(text_source& source) : path_{source.path()} {
    std::uint64_t const last = for_each_line(source, [this](cursor line, std::uint64_t number) {
      if (!line.done() && *line.at == '%') return;
      if (header_.line == 0) {
        take_header(line, number);
      } else if (lines_.size() < header_.vertices) {
        take_vertex(line, number);
      } else {
        skip_blanks(line);  // empty lines at the end are harmless
        if (!line.done()) refuse(number, "the end of the file behind the last vertex", line);
      }
    });
    if (header_.line == 0) {
      refuse(last, "a METIS header \"n m [fmt [ncon]]\", got the end of the file");
    }
    if (lines_.size() < header_.vertices) {
      refuse(header_.line, "a line for each of the " + std::to_string(header_.vertices) +
                               " vertices of the header, got " + std::to_string(lines_.size()));
    }
    check_both_ends();
    if (graph_.num_entries() / 2 != header_.edges) {
      refuse(header_.line, std::to_string(header_.edges) + " edges as the header says, got " +
                               std::to_string(graph_.num_entries() / 2));
    }
  }

  [[nodiscard]] any_csr result() && {
    graph_.num_rows = graph_.num_cols = static_cast<std::uint32_t>(header_.vertices);
    if (header_.has_edge_weights) return std::move(graph_);
    return csr_matrix<no_value>{graph_.num_rows, graph_.num_cols, std::move(graph_.row_offsets),
                                std::move(graph_.columns), std::vector<no_value>{}};
  }

 private:
  // Messages read "expected ..., got ...".
  [[noreturn]] void refuse(std::uint64_t line, std::string const& expected) const {
    refuse_line(path_, line, "expected " + expected);
  }
  [[noreturn]] void refuse(std::uint64_t line, std::string const& expected, cursor at) const {
    refuse(line, expected + ", got " + word_at(at));
  }

  std::uint64_t take_number(cursor& line, std::uint64_t number, char const* what,
                            std::uint64_t least, std::uint64_t most) const {
    cursor const before = line;
    std::uint64_t value = 0;
    if (!take_unsigned(line, value) || value < least || value > most) {
      refuse(number,
             std::string{what} + " from " + std::to_string(least) + " to " + std::to_string(most),
             before);
    }
    return value;
  }

  void take_header(cursor line, std::uint64_t number) {
    header_.vertices = take_number(line, number, "a number of vertices", 0, most_rows);
    header_.edges = take_number(line, number, "a number of edges", 0, any);
    skip_blanks(line);
    cursor const at_format = line;
    std::string_view const format = take_word(line);
    if (format.size() > 3 || format.find_first_not_of("01") != std::string_view::npos) {
      refuse(number, "a format of up to three digits 0 or 1", at_format);
    }
    // Digits from the right: edge weights, vertex weights, vertex sizes.
    auto const has = [format](std::size_t digit) {
      return digit < format.size() && format[format.size() - 1 - digit] == '1';
    };
    header_.has_edge_weights = has(0);
    header_.weights_a_vertex = has(1) ? 1 : 0;
    header_.has_sizes = has(2);
    skip_blanks(line);
    if (!line.done()) {
      if (!has(1)) refuse(number, "no number of weights for a format without vertex weights", line);
      header_.weights_a_vertex = take_number(line, number, "a number of weights a vertex", 1, any);
    }
    skip_blanks(line);
    if (!line.done()) refuse(number, "the end of the header", line);
    header_.line = number;
    // Every edge is an entry at both ends.
    std::uint64_t const entries = header_.edges > any / 2 ? any : 2 * header_.edges;
    if (header_.vertices > most_plausible_rows(entries)) {
      refuse_implausible(number, entries, std::to_string(header_.vertices));
    }
  }

  [[noreturn]] void refuse_implausible(std::uint64_t line, std::uint64_t entries,
                                       std::string const& got) const {
    refuse(line, "at most " + std::to_string(most_plausible_rows(entries)) + " vertices for " +
                     std::to_string(entries / 2) + " edges, got " + got);
  }

  void take_vertex(cursor line, std::uint64_t number) {
    auto const self = static_cast<std::uint32_t>(lines_.size());
    if (header_.has_sizes) (void)take_number(line, number, "a vertex size", 0, any);
    for (std::uint64_t k = 0; k < header_.weights_a_vertex; ++k) {
      (void)take_number(line, number, "a vertex weight", 0, any);
    }
    row_.clear();
    for (skip_blanks(line); !line.done(); skip_blanks(line)) {
      cursor const before = line;
      std::uint64_t const name = take_number(line, number, "a neighbour", 1, header_.vertices);
      if (name - 1 == self) refuse(number, "no edge from a vertex to itself", before);
      std::uint64_t weight = 0;
      if (header_.has_edge_weights) {
        weight = take_number(line, number, "an edge weight", 1, most_exact_double);
      }
      row_.push_back({static_cast<std::uint32_t>(name - 1), static_cast<double>(weight)});
    }
    append_row(number);
  }

  void append_row(std::uint64_t number) {
    auto const by_vertex = [](neighbour a, neighbour b) { return a.vertex < b.vertex; };
    if (!std::is_sorted(row_.begin(), row_.end(), by_vertex)) {
      std::sort(row_.begin(), row_.end(), by_vertex);
    }
    auto const twice = std::adjacent_find(
        row_.begin(), row_.end(), [](neighbour a, neighbour b) { return a.vertex == b.vertex; });
    if (twice != row_.end()) {
      refuse(number, "each neighbour once, got " + std::to_string(twice->vertex + 1) + " twice");
    }
    for (neighbour const& entry : row_) {
      graph_.columns.push_back(entry.vertex);
      if (header_.has_edge_weights) graph_.values.push_back(entry.weight);
    }
    graph_.row_offsets.push_back(graph_.columns.size());
    lines_.append(number);
    // Whatever the header promises is still to come: a small gzip can hold endless empty lines.
    if (lines_.size() > most_plausible_rows(graph_.num_entries())) {
      refuse_implausible(number, graph_.num_entries(), "more");
    }
  }

  // Going up the vertices u, each larger neighbour v must have u as the next of its own smaller
  // neighbours. A smaller one that is left over when v's turn comes does not have v among its
  // larger ones, all of which were met before, and so fails the same comparison.
  void check_both_ends() const {
    auto const& offsets = graph_.row_offsets;
    std::vector<std::uint64_t> next(offsets.begin(), offsets.end() - 1);
    for (std::uint32_t u = 0; u < next.size(); ++u) {
      for (std::uint64_t e = next[u]; e < offsets[u + 1]; ++e) {
        std::uint64_t const back = next[graph_.columns[e]]++;
        if (back == offsets[graph_.columns[e] + 1] || graph_.columns[back] != u ||
            weight_of(back) != weight_of(e)) {
          name_one_sided();
        }
      }
    }
  }

  [[nodiscard]] double weight_of(std::uint64_t entry) const {
    return graph_.values.empty() ? 0 : graph_.values[entry];
  }

  // The first line with an edge that its other end does not have, or has with another weight.
  [[noreturn]] void name_one_sided() const {
    auto const& offsets = graph_.row_offsets;
    auto const& columns = graph_.columns;
    auto const at = [](std::uint64_t index) { return static_cast<std::ptrdiff_t>(index); };
    for (std::uint32_t u = 0; u + 1 < offsets.size(); ++u) {
      for (std::uint64_t e = offsets[u]; e < offsets[u + 1]; ++e) {
        std::uint32_t const v = columns[e];
        auto const end = columns.begin() + at(offsets[v + 1]);
        auto const back = std::lower_bound(columns.begin() + at(offsets[v]), end, u);
        std::string const there =
            "vertex " + std::to_string(v + 1) + " (line " + std::to_string(lines_[v]) + ")";
        if (back == end || *back != u) {
          refuse(lines_[u], "every edge at both of its ends, got neighbour " +
                                std::to_string(v + 1) + " without its return at " + there);
        }
        double const other = weight_of(static_cast<std::uint64_t>(back - columns.begin()));
        if (other != weight_of(e)) {
          refuse(lines_[u], "the same weight at both ends of an edge, got " +
                                std::to_string(static_cast<std::uint64_t>(weight_of(e))) +
                                " here and " + std::to_string(static_cast<std::uint64_t>(other)) +
                                " at " + there);
        }
      }
    }
    throw std::logic_error("metis: the two checks of symmetry disagree");
  }

  std::filesystem::path path_;
  metis_header header_;
  csr_matrix<double> graph_;  // its values stay empty without edge weights
  line_map lines_;            // of the vertices
  std::vector<neighbour> row_;
};

}  // namespace

any_csr read_metis(std::filesystem::path const& path) {
  return within_memory(path, [&] {
    text_source source{path};
    return metis_reader{source}.result();
  });
}

}  // namespace gridloom::sparse
