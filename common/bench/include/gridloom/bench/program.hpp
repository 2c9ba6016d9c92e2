#pragma once
// The frame of every main(). It turns exceptions into messages and exit codes. It owns the command
// line, the machine, the input and output files, and the metadata of a run.

#include <boost/program_options/options_description.hpp>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gridloom/bench/column.hpp"
#include "gridloom/bench/floors.hpp"
#include "gridloom/bench/options.hpp"
#include "gridloom/bench/result_table.hpp"
#include "gridloom/bench/run_meta.hpp"
#include "gridloom/bench/trace_log.hpp"
#include "gridloom/device.hpp"
#include "gridloom/files/atomic_file.hpp"

namespace gridloom {

/// Calls the body and returns its exit code. An exception becomes one line "program: message" on
/// stderr, with exit code 2 for usage_error and 1 for all others. If stdout cannot be written, such
/// as to a full disk, the exit code is 1. The signal SIGXFSZ is ignored, so that a file beyond the
/// size limit is a failed write. Never throws.
int run_program(int argc, char** argv, int (*body)(int, char**)) noexcept;

namespace bench {

class harness_base;

/// The host, whatever a program's machine is.
[[nodiscard]] device& host_machine();

/// The common options that the program uses. --help omits the others. They are refused, so that no
/// option is silently ignored.
struct honoured {
  bool trace = false;
  bool threads = false;
};

/// The frame of a measuring program. Used by the main thread.
class program {
 public:
  program(std::string name, std::string purpose, honoured uses = {});

  /// Adds the program's own options, in the group "Experiment".
  [[nodiscard]] boost::program_options::options_description_easy_init options() {
    return own_.add_options();
  }
  /// The command line. Programs use it for examples, --list, rules and refused options.
  [[nodiscard]] command_line& line() { return line_; }

  /// Calls command_line::parse. Returns false if the program is done.
  [[nodiscard]] bool parse(int argc, char const* const* argv);

  /// Registers an input file. Called after parse. Does nothing if the option was not given. Throws
  /// usage_error if an empty name was given, or if two options name one file. /meta gets the
  /// SHA-256 of the file as sha256_OPTION.
  void input(std::string const& option, std::filesystem::path const& file);
  /// Registers several files of one option. Only a single file gets a SHA-256.
  void inputs(std::string const& option, std::vector<std::filesystem::path> const& files);
  /// Registers an output file other than the results. Throws usage_error like input(), and if the
  /// file cannot be written.
  void output(std::string const& option, std::filesystem::path const& file);

  [[nodiscard]] std::string const& name() const { return name_; }
  [[nodiscard]] common_options const& common() const { return line_.common(); }
  /// The machine, which is created at first use. Throws usage_error if it is not available, if
  /// --threads above 1 was given with --backend host, or by a rule about the host. If auto chose
  /// the host, a message says that --threads has no effect.
  [[nodiscard]] device& machine();
  /// The shape of launches. There are --workers blocks, or one per multiprocessor. A block has
  /// --threads threads, or `threads`; on the host, one.
  [[nodiscard]] launch_shape shape(int threads);
  /// The attributes of /meta, to which the program adds its parameters.
  [[nodiscard]] run_meta& meta();
  /// Memory for a trace, for work::observe. The harness keeps the recorded events and the graph.
  [[nodiscard]] trace_ref arm_trace(int workers, std::uint32_t capacity, traced_graph graph = {}) {
    return trace_.arm(machine(), workers, capacity, std::move(graph));
  }
  /// The traces of the arms, and the memory for traces.
  [[nodiscard]] trace_log& trace() { return trace_; }
  /// Sets tables that replace the table "trace" of the trace file.
  void set_trace_tables(std::vector<result_table> tables) { trace_tables_ = std::move(tables); }
  /// Called before measuring. Throws usage_error if --trace was given and no arm has a trace.
  void require_trace(bool any_arm_has) const;

  /// Called before measuring, with the empty tables of the results. Refuses an --append that would
  /// fail at the end, and measures the floors. A harness calls this with its own table.
  void begin(std::span<result_table const> tables);
  /// The floors of this run. NaN before begin() and with --no-floors.
  [[nodiscard]] floors const& floor() const { return floors_; }

  /// Puts either all files that the main thread has written since parse in place, or none of them
  /// (see files_together). Called by finish().
  void put_in_place() { files_->put_in_place(); }

  /// Prints the summary and the floors, writes --output and --trace, and puts all files in place.
  /// Returns the exit code. If no arm left a trace, says so and does not write the file of --trace.
  [[nodiscard]] int finish(harness_base const& done, std::vector<result_table> const& tables);

 private:
  void check_threads() const;
  void check_workers() const;
  void write_trace();
  [[nodiscard]] bool names_file(std::string const& option, std::filesystem::path const& file) const;
  void require_different() const;

  std::string name_;
  boost::program_options::options_description own_;
  boost::program_options::options_description measurement_;
  command_line line_;
  bool no_floors_ = false;
  bool has_floors_ = false;
  floors floors_{missing_real, missing_real, missing_real, missing_real, missing_real};
  int argc_ = 0;
  char const* const* argv_ = nullptr;
  std::vector<std::pair<std::string, std::filesystem::path>> inputs_;
  /// Files with a SHA-256, and their attributes in /meta.
  std::vector<std::pair<std::string, std::filesystem::path>> hashed_;
  std::vector<std::pair<std::string, std::filesystem::path>> outputs_;
  std::optional<device> machine_;
  std::optional<run_meta> meta_;
  trace_log trace_;
  std::optional<std::vector<result_table>> trace_tables_;
  std::optional<files_together> files_;
};

}  // namespace bench
}  // namespace gridloom
