#include <span>
#include <sstream>

#include "gridloom/files/atomic_file.hpp"
#include "gridloom/printable.hpp"
#include "schedule_file.hpp"

namespace gridloom::pets {
namespace {

// Width of the time axis, the margins, and the height of a processor's row, in pixels.
constexpr double width = 900;
constexpr double left = 60;
constexpr double top = 40;
constexpr double row = 34;

std::string escaped(std::string const& text) {
  std::string result;
  for (char const c : as_utf8(text)) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      default:
        // XML allows few control characters; all are left out.
        if (static_cast<unsigned char>(c) >= 0x20) result += c;
    }
  }
  return result;
}

}  // namespace

void write_gantt(std::string const& path, named_graph const& of, list_scheduler const& by) {
  task_graph const& graph = of.graph;
  schedule const made = by.run(graph, by.how);
  time_value const makespan = made.makespan();
  double const scale = makespan == 0 ? 0 : width / static_cast<double>(makespan);
  double const bottom = top + graph.num_processors * row;
  std::ostringstream out;
  auto const write = [&](double x, double y, char const* anchor, std::string const& text) {
    out << "<text x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor << "\">"
        << escaped(text) << "</text>\n";
  };
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << left + width + 40 << "\" height=\""
      << bottom + 40 << "\" font-family=\"sans-serif\" font-size=\"12\">\n";
  write(left, 20, "start", of.name + ", " + std::string(by.name));
  for (std::uint32_t p = 0; p < graph.num_processors; ++p)
    write(10, top + p * row + row / 2 + 1, "start", "P" + std::to_string(p));
  for (std::uint32_t task = 0; task < graph.num_tasks; ++task) {
    auto const& [processor, start, finish] = made.of[task];
    std::string const name = graph.name_of(task);
    double const x = left + static_cast<double>(start) * scale;
    double const wide = static_cast<double>(finish - start) * scale;
    double const y = top + processor * row;
    // Grey and an outline keep neighbours apart, also in print.
    out << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << wide << "\" height=\"" << row - 6
        << "\" fill=\"#d8d8d8\" stroke=\"#202020\"><title>" << escaped(name) << ": " << start
        << " to " << finish << "</title></rect>\n";
    if (wide >= 7.0 * static_cast<double>(name.size()) + 4)
      write(x + wide / 2, y + row / 2 + 1, "middle", name);
  }
  // The marks of the axis are at whole times.
  time_value const between = makespan / 5 + (makespan % 5 != 0 ? 1 : 0);
  for (time_value at = 0;; at += between) {
    write(left + static_cast<double>(at) * scale, bottom + 18, "middle", std::to_string(at));
    if (between == 0 || makespan - at < between) break;
  }
  out << "</svg>\n";
  std::string const text = out.str();
  replace_file(path, std::as_bytes(std::span{text}));
}

}  // namespace gridloom::pets
