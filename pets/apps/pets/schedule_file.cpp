#include "schedule_file.hpp"

#include <algorithm>
#include <cstdio>
#include <deque>
#include <numeric>
#include <span>
#include <tuple>

#include "gridloom/bench/results.hpp"
#include "gridloom/bench/text_table.hpp"
#include "gridloom/error.hpp"
#include "gridloom/files/atomic_file.hpp"
#include "gridloom/host_time_limit.hpp"
#include "gridloom/printable.hpp"
#include "tables.hpp"

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

std::string json_text(std::string const& text) {
  std::string result = "\"";
  for (char const c : as_utf8(text)) {
    auto const code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (code < 0x20 || code == 0x7f) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(code));
      result += escaped;
    } else {
      result += c;
    }
  }
  return result + "\"";
}

/// Writes one line per task, in the order of the graph.
std::string csv_of(std::vector<finished_schedule> const& all) {
  std::string text = "graph,algorithm,task,processor,start,end,unit\n";
  for (finished_schedule const& one : all) {
    task_graph const& graph = one.graph->graph;
    std::string const begin = csv_field(one.graph->name) + "," + std::string(one.algorithm) + ",";
    for (std::uint32_t task = 0; task < graph.num_tasks; ++task) {
      placement const& at = one.made.of[task];
      text += begin + csv_field(graph.name_of(task)) + "," + std::to_string(at.processor) + "," +
              std::to_string(at.start) + "," + std::to_string(at.finish) + "," +
              csv_field(graph.unit) + "\n";
    }
  }
  return text;
}

std::string json_of(std::vector<finished_schedule> const& all) {
  std::string text = "{\"schedules\": [";
  for (std::size_t i = 0; i < all.size(); ++i) {
    task_graph const& graph = all[i].graph->graph;
    text += i == 0 ? "\n" : ",\n";
    text += "{\"graph\": " + json_text(all[i].graph->name) +
            ", \"seed\": " + std::to_string(all[i].graph->seed) +
            ", \"algorithm\": " + json_text(std::string(all[i].algorithm)) +
            ",\n \"processors\": " + std::to_string(graph.num_processors) +
            ", \"platform\": " + json_text(graph.platform_text) +
            ",\n \"unit\": " + json_text(graph.unit) +
            ", \"makespan\": " + std::to_string(all[i].made.makespan()) + ", \"tasks\": [";
    for (std::uint32_t task = 0; task < graph.num_tasks; ++task) {
      placement const& at = all[i].made.of[task];
      text += task == 0 ? "\n" : ",\n";
      text += "  {\"task\": " + json_text(graph.name_of(task)) +
              ", \"processor\": " + std::to_string(at.processor) +
              ", \"start\": " + std::to_string(at.start) +
              ", \"end\": " + std::to_string(at.finish) + "}";
    }
    text += "]}";
  }
  return text + "\n]}\n";
}

/// Prints the first `most` tasks in the order of their starts, and the number of the others.
void print_schedule(finished_schedule const& one, std::size_t most) {
  task_graph const& graph = one.graph->graph;
  std::string const unit = graph.unit == "1" ? "" : ", " + graph.unit;
  std::vector<std::uint32_t> tasks(graph.num_tasks);
  std::iota(tasks.begin(), tasks.end(), 0U);
  auto const key = [&](std::uint32_t task) {
    placement const& at = one.made.of[task];
    return std::tuple(at.start, at.processor, at.finish, task);
  };
  std::sort(tasks.begin(), tasks.end(),
            [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  bench::text_table table({"task", "processor", "start" + unit, "end" + unit});
  for (std::size_t i = 0; i < std::min(most, tasks.size()); ++i) {
    placement const& at = one.made.of[tasks[i]];
    table.add_row({printable(graph.name_of(tasks[i])), std::to_string(at.processor),
                   std::to_string(at.start), std::to_string(at.finish)});
  }
  table.print(stdout);
  if (tasks.size() > most) std::printf("... and %zu tasks more\n", tasks.size() - most);
  quality const found = quality_of(graph, one.made);
  std::printf("%s, %s%s%s: makespan %llu%s, SLR %s, speedup %s\n\n",
              printable(one.graph->name).c_str(), std::string(one.algorithm).c_str(),
              graph.platform_text.empty() ? "" : ", ", graph.platform_text.c_str(),
              static_cast<unsigned long long>(found.makespan),
              graph.unit == "1" ? "" : (" " + graph.unit).c_str(),
              bench::shown_number(found.slr).c_str(), bench::shown_number(found.speedup).c_str());
}

void write_hdf5(std::filesystem::path const& file, std::vector<finished_schedule> const& all,
                bench::program& app) {
  bench::table<analysed_graph> graphs{"graphs", graph_columns()};
  bench::table<task_row> tasks{"schedules", task_columns()};
  for (std::size_t i = 0; i < all.size();) {
    analysed_graph const of(*all[i].graph);
    graphs.add(of);
    for (named_graph const* const graph = all[i].graph; i < all.size() && all[i].graph == graph;
         ++i)
      add_schedule(of, all[i].algorithm, all[i].made, tasks);
  }
  write_results(file, app.meta(), std::vector<result_table>{graphs.contents(), tasks.contents()},
                write_mode::replace);
}

}  // namespace

schedule_form form_of(std::filesystem::path const& file) {
  std::string const ending = file.extension().string();
  if (ending == ".h5" || ending == ".hdf5") return schedule_form::hdf5;
  if (ending == ".csv") return schedule_form::csv;
  if (ending == ".json") return schedule_form::json;
  throw usage_error("--schedule: expected a file that ends in .h5, .csv or .json, or -, got " +
                    in_quotes(file.string()));
}

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
  schedule_form const form = form_of(file);
  if (form == schedule_form::hdf5) return write_hdf5(file, all, app);
  std::string const text = form == schedule_form::csv ? csv_of(all) : json_of(all);
  replace_file(file, std::as_bytes(std::span(text)));
}

}  // namespace gridloom::pets
