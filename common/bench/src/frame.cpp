// The frame of a measuring program: command line, machine, files, metadata.

#include <cmath>
#include <cstdio>

#include "gridloom/backend/host.hpp"
#include "gridloom/bench/harness.hpp"
#include "gridloom/bench/program.hpp"
#include "gridloom/bench/results.hpp"
#include "gridloom/bench/sha256.hpp"
#include "gridloom/error.hpp"
#include "gridloom/files/file_lock.hpp"
#include "gridloom/files/input_file.hpp"

namespace gridloom::bench {

namespace po = boost::program_options;

device& host_machine() {
  static device machine("host", 0);
  return machine;
}

program::program(std::string name, std::string purpose, honoured uses)
    : name_(std::move(name)),
      own_("Experiment"),
      measurement_("Measurement"),
      line_(name_, std::move(purpose)) {
  measurement_.add_options()("no-floors", po::bool_switch(&no_floors_),
                             "do not measure the machine's floors (bandwidths and latencies)");
  std::string const reason = name_ + " does not use it";
  if (!uses.trace) line_.refuse("trace", reason);
  if (!uses.threads) line_.refuse("threads", reason);
}

bool program::parse(int argc, char const* const* argv) {
  line_.add_group(own_);
  line_.add_group(measurement_);
  argc_ = argc;
  argv_ = argv;
  if (!line_.parse(argc, argv)) return false;
  outputs_ = {{"--output", common().output}, {"--trace", common().trace}};
  files_.emplace();
  return true;
}

// Whether the file name is not empty. Throws usage_error if an empty name was given.
bool program::names_file(std::string const& option, std::filesystem::path const& file) const {
  if (!file.empty()) return true;
  if (!line_.given(option)) return false;
  throw usage_error("--" + option + ": expected a file name, got an empty one");
}

void program::input(std::string const& option, std::filesystem::path const& file) {
  if (!names_file(option, file)) return;
  require_readable(file);
  hashed_.emplace_back("sha256_" + option, file);
  inputs_.emplace_back("--" + option, file);
  require_different();
}

void program::inputs(std::string const& option, std::vector<std::filesystem::path> const& files) {
  if (files.size() == 1) return input(option, files.front());
  for (auto const& file : files) inputs_.emplace_back("--" + option, file);
  require_different();
}

void program::output(std::string const& option, std::filesystem::path const& file) {
  if (!names_file(option, file)) return;
  require_writable(file, "--" + option);
  outputs_.emplace_back("--" + option, file);
  require_different();
}

void program::require_different() const {
  auto all = inputs_;
  if (common().append) all.emplace_back("the lock file of --output", lock_name_of(common().output));
  all.insert(all.end(), outputs_.begin(), outputs_.end());
  require_different_files(all);
}

device& program::machine() {
  if (machine_) return *machine_;
  machine_.emplace(common().backend, common().device);
  check_threads();
  check_workers();
  if (machine_->is_host()) line_.check_host_rules();
  return *machine_;
}

// On the host a worker is one thread. A command line for GPUs should run on every machine, so
// --threads is refused only with --backend host.
void program::check_threads() const {
  if (!machine_->is_host() || common().threads <= 1) return;
  if (common().backend == "host") {
    throw usage_error(
        "--threads: expected no value or 1 with --backend host, where a worker is one thread; "
        "got " +
        std::to_string(common().threads));
  }
  std::fprintf(stderr, "%s: --threads: has no effect on the host, where a worker is one thread\n",
               name_.c_str());
}

void program::check_workers() const {
  if (!machine_->is_host() || common().workers <= host_backend::max_workers) return;
  throw usage_error("--workers: expected at most " + std::to_string(host_backend::max_workers) +
                    " on the host, got " + std::to_string(common().workers));
}

launch_shape program::shape(int threads) {
  int const workers = common().workers;
  if (common().threads > 0) threads = common().threads;
  return {workers > 0 ? workers : machine().properties().multiprocessors,
          machine().is_host() ? 1 : threads};
}

run_meta& program::meta() {
  if (!meta_) meta_ = collect_meta(name_, argc_, argv_, machine().properties(), common());
  return *meta_;
}

void program::begin(std::span<result_table const> tables) {
  if (!common().output.empty() && common().append) {
    require_appendable(common().output, meta(), tables);
  }
  if (no_floors_ || has_floors_) return;
  has_floors_ = true;
  floors_ = measure_floors(machine());
  set_floors(meta(), floors_);
  // The GPU's state is read after the floors are measured, because measuring raises the clocks.
  set_gpu_state(meta(), machine().properties());
}

int program::finish(harness_base const& done, std::vector<result_table> const& tables) {
  if (has_floors_) {
    std::printf(
        "floors of this machine: copy %s GB/s, read %s GB/s, launch %s ns, signal %s ns, atomic %s "
        "ns\n",
        shown_number(floors_.copy_gbs).c_str(), shown_number(floors_.read_gbs).c_str(),
        shown_number(floors_.launch_ns).c_str(), shown_number(floors_.signal_ns).c_str(),
        shown_number(floors_.atomic_ns).c_str());
  }
  done.print_summary();
  if (!common().output.empty()) {
    for (auto const& [key, file] : hashed_) meta().set(key, sha256_of_file(file));
    write_results(common().output, meta(), tables,
                  common().append ? write_mode::append : write_mode::replace, common().timeout_s);
  }
  if (!common().trace.empty()) write_trace();
  put_in_place();
  return done.exit_code();
}

void program::require_trace(bool any_arm_has) const {
  if (common().trace.empty() || any_arm_has) return;
  throw usage_error("--trace: expected a method that records a trace, got none");
}

void program::write_trace() {
  if (trace_.kept().empty()) {
    std::fprintf(stderr, "%s: --trace: no arm recorded a trace, so %s is not written\n",
                 name_.c_str(), common().trace.c_str());
    return;
  }
  auto tables = trace_tables_.value_or(std::vector<result_table>{trace_.tasks()});
  tables.push_back(trace_.arms());
  for (result_table& one : trace_.graphs()) tables.push_back(std::move(one));
  write_results(common().trace, meta(), tables, write_mode::replace);
}

}  // namespace gridloom::bench
