#include "juggler/offload.hpp"

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <iterator>
#include <utility>

#include "gridloom/error.hpp"
#include "gridloom/number.hpp"

namespace gridloom::juggler {

namespace {

std::string text_of(char const* variable, char const* otherwise) {
  char const* const value = std::getenv(variable);
  return value == nullptr || *value == '\0' ? otherwise : value;
}

template <class T>
T number_of(char const* variable, T otherwise) {
  std::string const text = text_of(variable, "");
  if (text.empty()) return otherwise;
  T value{};
  if (!read_number(text, value) || !(value >= T{}))
    throw usage_error(std::string(variable) + ": expected a number of at least 0, got " + text);
  return value;
}

// Recursive, because a function called in a map clause may contain a region.
std::recursive_mutex& device_lock() {
  static std::recursive_mutex lock;
  return lock;
}

bool reports() { return number_of("JUGGLER_REPORT", 0) != 0; }

}  // namespace

offload_run::offload_run(char const* where, int num_threads)
    : alone_(device_lock()), where_(where), num_threads_(num_threads) {
  if (num_threads < 0) throw usage_error("num_threads: expected at least 1");
}

device& offload_run::machine() {
  static device here = [] {
    std::string const backend = text_of("JUGGLER_BACKEND", "auto");
    try {
      return device(backend, number_of("JUGGLER_DEVICE", 0));
    } catch (usage_error const& error) {
      throw usage_error("JUGGLER_BACKEND=" + backend + ": " + error.what());
    }
  }();
  here.make_current();
  return here;
}

execution_settings offload_run::settings() const {
  execution_settings result;
  result.threads = number_of("JUGGLER_THREADS", num_threads_ > 0 ? num_threads_ : result.threads);
  result.workers = number_of("JUGGLER_WORKERS", 0);
  result.timeout_s = number_of("JUGGLER_TIMEOUT_S", result.timeout_s);
  return result;
}

void const* offload_run::take(map_type type, char const* name, array_section const& whole,
                              bool is_const) {
  std::string const who = std::string("map of '") + name + "': ";
  if (std::string const why = objection_to(whole); !why.empty()) throw usage_error(who + why);
  if (is_const && (type == map_type::from || type == map_type::tofrom)) type = map_type::to;
  byte_range const bytes = bytes_of(whole);
  auto const next = arrays_.upper_bound(bytes.first);
  if (next != arrays_.end() && next->first < bytes.last)
    throw usage_error(who + "the array overlaps '" + next->second.name + "'");
  if (next != arrays_.begin()) {
    auto& [first, before] = *std::prev(next);
    if (first == bytes.first && before.end == bytes.last && before.type == type)
      return before.there.data();
    if (before.end > bytes.first)
      throw usage_error(who + "the array overlaps '" + before.name + "'");
  }
  mapped made{bytes.last, type, name, machine().allocate<std::byte>(bytes.last - bytes.first)};
  return arrays_.emplace_hint(next, bytes.first, std::move(made))->second.there.data();
}

std::uintptr_t offload_run::translate(std::uintptr_t pointer, char const* name) const {
  if (pointer == 0 || only_inspects_) return pointer;
  auto const next = arrays_.upper_bound(pointer);
  if (next != arrays_.begin()) {
    auto const& [first, array] = *std::prev(next);
    // A pointer one past the end is valid, too.
    if (pointer <= array.end)
      return reinterpret_cast<std::uintptr_t>(array.there.data()) + (pointer - first);
  }
  throw usage_error(std::string("a task's pointer '") + name + "' points into no mapped array");
}

void offload_run::reads_through(char const* name, void const* pointer, std::size_t bytes) const {
  auto const begin = reinterpret_cast<std::uintptr_t>(pointer);
  for (auto const& [first, array] : arrays_) {
    if (array.type == map_type::to || begin >= array.end || begin + bytes <= first) continue;
    throw usage_error(
        std::string("the region reads through '") + name + "', which points into the mapped '" +
        array.name +
        "': a task may write what is read, but tasks must be known before they run; map the array "
        "as 'to', or write '#pragma juggler eligible' before the region if no task writes it");
  }
}

bool offload_run::wants_graph() { return !text_of("JUGGLER_DAG", "").empty(); }

void offload_run::write_graph(task_dag const& dag, std::vector<std::string> const& type_names) {
  std::string const file = text_of("JUGGLER_DAG", "");
  bool const is_text = file.size() >= 4 && file.compare(file.size() - 4, 4, ".dot") == 0;
  (is_text ? write_graphviz : write_graph_file)(file, dag, type_names);
}

void offload_run::copy_in() {
  for (auto const& [first, array] : arrays_) {
    if (array.type == map_type::from || array.type == map_type::alloc) continue;
    auto const* const begin = reinterpret_cast<std::byte const*>(first);
    machine().copy_to_device(array.there, std::span<std::byte const>(begin, array.end - first));
  }
}

void offload_run::copy_out() {
  for (auto const& [first, array] : arrays_) {
    if (array.type == map_type::to || array.type == map_type::alloc) continue;
    auto* const begin = reinterpret_cast<std::byte*>(first);
    machine().copy_to_host(std::span<std::byte>(begin, array.end - first),
                           static_cast<std::byte const*>(array.there.data()));
  }
}

void offload_run::report(task_dag const& dag) const {
  if (!reports()) return;
  std::cerr << "juggler: " << where_ << ": " << dag.tasks() << " tasks, " << dag.children.edges()
            << " edges, inspection " << static_cast<double>(inspection_ns_) * 1e-6 << " ms, graph "
            << static_cast<double>(graph_ns_) * 1e-6 << " ms, run " << run_ms_ << " ms\n";
}

void end_program(char const* where, std::exception const& error) {
  // Keeps other threads from starting a region while the device is being destroyed.
  device_lock().lock();
  std::cerr << "juggler: " << where << ": " << error.what() << '\n';
  std::exit(dynamic_cast<usage_error const*>(&error) != nullptr ? exit_usage : exit_failed);
}

}  // namespace gridloom::juggler
