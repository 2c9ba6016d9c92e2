// Edge lists, the text of them: what its lines say goes to an edge_log, which edge_rows.cpp turns
// into a matrix.

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "gridloom/error.hpp"
#include "gridloom/sparse/graph_text.hpp"
#include "edge_log.hpp"
#include "plausible.hpp"
#include "text_lines.hpp"

namespace gridloom::sparse {
namespace {

class edge_reader {
 public:
  edge_reader(text_source& source, edge_list_options const& options)
      : options_{options}, log_{source.path(), {}, {}, {}, 0} {
    std::uint64_t const last = for_each_line(source, [this](cursor line, std::uint64_t number) {
      skip_blanks(line);
      if (!line.done() && *line.at != '#' && *line.at != '%') take_edge(line, number);
    });
    // An empty graph is nobody's aim; a file cut to nothing is.
    if (log_.edges.empty()) {
      refuse_line(log_.path, last, "expected an edge, got the end of the file");
    }
    std::uint64_t const most = most_plausible_rows(log_.edges.size());
    if (log_.vertices > most) refuse_implausible(most);
  }

  [[nodiscard]] edge_log result() && { return std::move(log_); }

 private:
  [[noreturn]] void refuse(std::uint64_t line, std::string const& expected, cursor at) const {
    refuse_line(log_.path, line, "expected " + expected + ", got " + word_at(at));
  }

  std::uint32_t take_vertex(cursor& line, std::uint64_t number) const {
    std::uint64_t const first = options_.one_based ? 1 : 0;
    cursor const before = line;
    std::uint64_t name = 0;
    if (!take_digits(line, name) || name < first || name - first >= most_rows ||
        (!line.done() && !is_blank(*line.at) && *line.at != ',')) {
      refuse(number,
             "a vertex number from " + std::to_string(first) + " to " +
                 std::to_string(most_rows - 1 + first),
             before);
    }
    return static_cast<std::uint32_t>(name - first);
  }

  // Passes blanks with at most one comma among them; whether there was one.
  static bool skip_separator(cursor& line) {
    skip_blanks(line);
    if (line.done() || *line.at != ',') return false;
    ++line.at;
    skip_blanks(line);
    return true;
  }

  void take_edge(cursor line, std::uint64_t number) {
    std::uint32_t const from = take_vertex(line, number);
    skip_separator(line);
    std::uint32_t const to = take_vertex(line, number);
    cursor const behind = line;
    bool const comma = skip_separator(line);
    bool const weighted = comma || !line.done();
    if (log_.edges.empty()) weighted_ = weighted;
    if (weighted != weighted_) {
      std::string const first = std::to_string(log_.lines[0]);
      refuse(number,
             weighted_ ? "a weight, as on line " + first
                       : "the end of the line behind the edge, as on line " + first,
             behind);
    }
    if (weighted) {
      cursor const before = line;
      double weight = 0;
      if (!take_real(line, weight) || !std::isfinite(weight)) {
        refuse(number, "a finite weight", before);
      }
      skip_blanks(line);
      if (!line.done()) refuse(number, "the end of the line behind the weight", line);
      log_.weights.push_back(weight);
    }
    bool const turn = options_.undirected && to < from;
    log_.edges.push_back(turn ? edge{to, from} : edge{from, to});
    log_.lines.append(number);
    log_.vertices = std::max<std::uint64_t>(log_.vertices, std::max(from, to) + std::uint64_t{1});
  }

  [[noreturn]] void refuse_implausible(std::uint64_t most) const {
    std::uint64_t index = 0;
    while (std::max(log_.edges[index].from, log_.edges[index].to) < most) ++index;
    edge const far = log_.edges[index];
    refuse_line(log_.path, log_.lines[index],
                "expected at most " + std::to_string(most) + " vertices for " +
                    std::to_string(log_.edges.size()) + " edges, got vertex number " +
                    std::to_string(std::max(far.from, far.to) + (options_.one_based ? 1U : 0U)));
  }

  edge_list_options options_;
  edge_log log_;
  bool weighted_ = false;
};

}  // namespace

any_csr read_edge_list(std::filesystem::path const& path, edge_list_options const& options) {
  return within_memory(path, [&]() -> any_csr {
    text_source source{path};
    edge_log log = edge_reader{source, options}.result();
    if (log.weights.empty()) return rows_of_edges<no_value>(std::move(log), options.undirected);
    return rows_of_edges<double>(std::move(log), options.undirected);
  });
}

}  // namespace gridloom::sparse
