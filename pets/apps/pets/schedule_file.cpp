#include "schedule_file.hpp"

#include <algorithm>
#include <cstdio>
#include <deque>
#include <optional>
#include <span>
#include <sstream>
#include <tuple>
#include <utility>

#include "gridloom/bench/results.hpp"
#include "gridloom/bench/text_table.hpp"
#include "gridloom/error.hpp"
#include "gridloom/files/atomic_file.hpp"
#include "gridloom/files/json_text.hpp"
#include "gridloom/host_time_limit.hpp"
#include "gridloom/printable.hpp"
#include "scheduling.hpp"

namespace gridloom::pets {
namespace {

struct finished_schedule {
  named_graph const* graph;
  std::string_view algorithm;
  schedule made;
};

/// Number of tasks printed on the terminal if a file has all of them.
constexpr std::size_t most_shown = 40;

/// Quotes fields that contain commas, quotes or line breaks (RFC 4180).
std::string csv_field(std::string const& name) {
  std::string const text = as_utf8(name);
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char const c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

/// Writes one line per task, in the order of the graph.
void write_csv(std::ostream& out, std::vector<finished_schedule> const& all) {
  out << "graph,algorithm,task,processor,start,end,unit\n";
  for (auto const& [of, algorithm, made] : all) {
    for (std::uint32_t task = 0; task < of->tasks(); ++task) {
      auto const& [processor, start, finish] = made.of[task];
      out << csv_field(of->name) << ',' << algorithm << ',' << csv_field(of->graph.name_of(task))
          << ',' << processor << ',' << start << ',' << finish << ',' << csv_field(of->unit())
          << '\n';
    }
  }
}

void write_json(std::ostream& out, std::vector<finished_schedule> const& all) {
  auto const json = [](std::string_view text) { return json_text(as_utf8(text)); };
  out << "{\"schedules\": [";
  char const* before = "\n";
  for (auto const& [of, algorithm, made] : all) {
    out << std::exchange(before, ",\n") << "{\"graph\": " << json(of->name)
        << ", \"seed\": " << of->seed << ", \"algorithm\": " << json(algorithm)
        << ",\n \"processors\": " << of->processors() << ", \"platform\": " << json(of->platform())
        << ",\n \"unit\": " << json(of->unit()) << ", \"makespan\": " << made.makespan()
        << ", \"tasks\": [";
    for (std::uint32_t task = 0; task < of->tasks(); ++task) {
      auto const& [processor, start, finish] = made.of[task];
      out << (task == 0 ? "\n" : ",\n") << "  {\"task\": " << json(of->graph.name_of(task))
          << ", \"processor\": " << processor << ", \"start\": " << start << ", \"end\": " << finish
          << "}";
    }
    out << "]}";
  }
  out << "\n]}\n";
}

/// Prints the first `most` tasks in the order of their starts, and the number of the others.
void print_schedule(finished_schedule const& one, std::size_t most) {
  auto const& [of, algorithm, made] = one;
  std::string const unit = of->unit() == "1" ? "" : of->unit();
  std::string const time_unit = unit.empty() ? "" : ", " + unit;
  std::vector<std::tuple<time_value, std::uint32_t, time_value, std::uint32_t>> rows;
  for (std::uint32_t task = 0; task < of->tasks(); ++task) {
    auto const& [processor, start, finish] = made.of[task];
    rows.emplace_back(start, processor, finish, task);
  }
  std::sort(rows.begin(), rows.end());
  bench::text_table table({"task", "processor", "start" + time_unit, "end" + time_unit});
  for (auto const& [start, processor, finish, task] :
       std::span(rows).first(std::min(most, rows.size()))) {
    table.add_row({printable(of->graph.name_of(task)), std::to_string(processor),
                   std::to_string(start), std::to_string(finish)});
  }
  table.print(stdout);
  if (rows.size() > most) std::printf("... and %zu tasks more\n", rows.size() - most);
  quality const found = quality_of(of->graph, made);
  std::printf("%s, %s%s%s: makespan %s%s, SLR %s, speedup %s\n\n", printable(of->name).c_str(),
              std::string(algorithm).c_str(), of->platform().empty() ? "" : ", ",
              of->platform().c_str(), std::to_string(found.makespan).c_str(),
              unit.empty() ? "" : (" " + unit).c_str(), bench::shown_number(found.slr).c_str(),
              bench::shown_number(found.speedup).c_str());
}

void write_hdf5(std::string const& file, std::vector<finished_schedule> const& all,
                bench::program& app) {
  bench::table<analysed_graph> graphs{"graphs", graph_columns()};
  bench::table<task_row> tasks{"schedules", task_columns()};
  std::optional<analysed_graph> last;
  named_graph const* analysed = nullptr;
  for (auto const& [of, algorithm, made] : all) {
    if (std::exchange(analysed, of) != of) graphs.add(last.emplace(*of));
    add_schedule(*last, algorithm, made, tasks);
  }
  write_results(file, app.meta(), std::vector{graphs.contents(), tasks.contents()},
                write_mode::replace);
}

}  // namespace

void make_schedules(graph_source const& graphs, std::vector<list_scheduler const*> const& by,
                    std::string const& file, bench::program& app) {
  bool const to_file = !file.empty() && file != "-";
  std::deque<named_graph> kept;
  std::vector<finished_schedule> all;
  for (std::size_t number = 0; number < graphs.count; ++number) {
    named_graph const& of = kept.emplace_back(graphs.make(number));
    for (list_scheduler const* one : by) {
      host_time_limit const limit(app.common().timeout_s);
      all.push_back({&of, one->name, one->run(of.graph, one->how)});
      std::string const wrong =
          app.common().verify ? check_schedule(of.graph, all.back().made) : std::string();
      if (!wrong.empty())
        throw wrong_result(of.name + ", " + std::string(one->name) + ": " + wrong);
      print_schedule(all.back(), file == "-" ? of.graph.num_tasks : most_shown);
    }
    if (!to_file) {
      all.clear();
      kept.clear();
    }
  }
  if (!to_file) return;
  auto const ending = std::filesystem::path(file).extension();
  if (ending != ".csv" && ending != ".json") return write_hdf5(file, all, app);
  std::ostringstream out;
  (ending == ".csv" ? write_csv : write_json)(out, all);
  std::string const text = out.str();
  replace_file(file, std::as_bytes(std::span(text)));
}

}  // namespace gridloom::pets
