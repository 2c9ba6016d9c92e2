// Writes traces in Chrome's "Trace Event Format": an array of complete events, with times in
// microseconds.

#include <algorithm>
#include <cstdio>
#include <map>
#include <string_view>
#include <tuple>

#include "gridloom/files/json_text.hpp"
#include "traces.hpp"

namespace gridloom::mhive::generic {
namespace {

std::string microseconds(std::uint64_t ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%llu.%03llu", static_cast<unsigned long long>(ns / 1000),
                static_cast<unsigned long long>(ns % 1000));
  return text;
}

class writer {
 public:
  std::string take() { return "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[" + text_ + "\n]}\n"; }

  void name(char const* what, std::size_t process, int thread, std::string const& name) {
    begin(process, thread);
    text_ += ",\"ph\":\"M\",\"name\":" + json_text(what) +
             ",\"args\":{\"name\":" + json_text(name) + "}}";
  }
  void task(std::size_t process, int thread, std::string const& name, trace_event const& event) {
    begin(process, thread);
    text_ += ",\"ph\":\"X\",\"cat\":\"task\",\"name\":" + json_text(name) +
             ",\"ts\":" + microseconds(event.begin_ns) +
             ",\"dur\":" + microseconds(event.end_ns - event.begin_ns) +
             ",\"args\":{\"node\":" + std::to_string(event.type) + "}}";
  }

 private:
  void begin(std::size_t process, int thread) {
    text_ += text_.empty() ? "\n" : ",\n";
    text_ += "{\"pid\":" + std::to_string(process) + ",\"tid\":" + std::to_string(thread);
  }
  std::string text_;
};

// Puts every task into the first free row of its worker. Rows are numbered in the order in which
// they are added.
class packing {
 public:
  struct row {
    int number;
    std::uint64_t end_ns;
  };
  // Returns the row's number, and whether the row is new.
  std::pair<int, bool> place(int worker, trace_event const& event) {
    auto& rows = rows_[worker];
    for (row& free : rows) {
      if (free.end_ns > event.begin_ns) continue;
      free.end_ns = event.end_ns;
      return {free.number, false};
    }
    rows.push_back({next_, event.end_ns});
    return {next_++, true};
  }

 private:
  std::map<int, std::vector<row>> rows_;
  int next_ = 0;
};

}  // namespace

std::string chrome_trace(execution_tree const& tree, std::span<bench::arm_trace const> traces) {
  writer out;
  for (std::size_t process = 0; process < traces.size(); ++process) {
    out.name("process_name", process, 0, traces[process].arm);
    auto tasks = traces[process].tasks;
    std::sort(tasks.begin(), tasks.end(), [](traced_task const& a, traced_task const& b) {
      return std::tie(a.worker, a.event.begin_ns, a.event.end_ns) <
             std::tie(b.worker, b.event.begin_ns, b.event.end_ns);
    });
    packing rows;
    for (auto const& [worker, event] : tasks) {
      auto const [row, is_new] = rows.place(worker, event);
      if (is_new) out.name("thread_name", process, row, "worker " + std::to_string(worker));
      out.task(process, row, tree.tasks().at(event.type).name, event);
    }
  }
  return out.take();
}

}  // namespace gridloom::mhive::generic
