#pragma once
// The frame of every main(): exceptions to messages and exit codes; the command line, the machine,
// the files that are read and written, and what a results file says of the run.

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
/// stderr: usage_error with exit code 2, every other with 1. Output that cannot be written to
/// stdout (a full disk behind a redirection) is exit code 1 as well. The signal SIGXFSZ is ignored:
/// a file beyond the limit on sizes is a failed write like any other. Never throws.
int run_program(int argc, char** argv, int (*body)(int, char**)) noexcept;

namespace bench {

class harness_base;

/// Which of the common options the program makes use of. The others are left out of --help and
/// refused: nothing that is asked for is ignored in silence.
struct honoured {
  bool trace = false;
  bool threads = false;
  bool workers = true;
};

/// One a program, used from main's thread.
class program {
 public:
  program(std::string name, std::string purpose, honoured uses = {}, common_options defaults = {});

  /// Adds the program's own options, in the group "Experiment".
  [[nodiscard]] boost::program_options::options_description_easy_init options() {
    return own_.add_options();
  }
  /// For examples, the text of --list, further groups, refusals, and which options were given.
  [[nodiscard]] command_line& line() { return line_; }

  /// As command_line::parse; false: the program is done.
  [[nodiscard]] bool parse(int argc, char const* const* argv);

  /// A file that the program reads, or writes beside the results; after parse. An empty name is
  /// none. Throws usage_error when the option was given one, when two options name one file, and
  /// when an output cannot be written. /meta says an input's SHA-256: sha256_OPTION.
  void input(std::string const& option, std::filesystem::path const& file);
  /// Several files of one option, without checksums; one is as above.
  void inputs(std::string const& option, std::vector<std::filesystem::path> const& files);
  void output(std::string const& option, std::filesystem::path const& file);

  [[nodiscard]] std::string const& name() const { return name_; }
  [[nodiscard]] common_options const& common() const { return line_.common(); }
  /// Made on first use. Throws usage_error when it is not to be had, and when --backend host was
  /// given more than one of --threads; where auto is the host, a line says that they do nothing.
  [[nodiscard]] device& machine();
  /// --workers, else a block a multiprocessor; of --threads, else of so many. On the host one.
  [[nodiscard]] launch_shape shape(int threads);
  /// What /meta says; the program adds its parameters.
  [[nodiscard]] run_meta& meta();
  /// For work::observe: room for so many events of each worker. The harness keeps what is recorded.
  [[nodiscard]] trace_ref arm_trace(int workers, std::uint32_t capacity) {
    return trace_.arm(machine(), workers, capacity);
  }
  /// What the arms left, and the memory that they are traced in.
  [[nodiscard]] trace_log& trace() { return trace_; }
  /// Tables for the trace file in place of the log's "trace".
  void set_trace_tables(std::vector<result_table> tables) { trace_tables_ = std::move(tables); }
  /// Before anything is measured, with whether an arm that was asked for has a trace. Throws
  /// usage_error where --trace was given and none has.
  void require_trace(bool any_arm_has) const;

  /// Before anything is measured, with the results' tables, still empty: refuses an --append that
  /// would fail in the end, and measures the floors. A harness does it for its own table.
  void begin(std::span<result_table const> tables);
  /// The floors of this run; NaN before begin() and with --no-floors.
  [[nodiscard]] floors const& floor() const { return floors_; }

  /// After parse all files that main's thread writes are aside until here, where they take their
  /// places, all or none (see files_together). finish() does it in the end.
  void put_in_place() { files_->put_in_place(); }

  /// Prints the summary and the floors, writes --output and --trace, puts all files in place; the
  /// exit code. Without a trace of any arm it says so and leaves the file of --trace as it is.
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
  std::vector<std::pair<std::string, std::filesystem::path>> hashed_;  // by name in /meta
  std::vector<std::pair<std::string, std::filesystem::path>> outputs_;
  std::optional<device> machine_;
  std::optional<run_meta> meta_;
  trace_log trace_;
  std::optional<std::vector<result_table>> trace_tables_;
  std::optional<files_together> files_;
};

}  // namespace bench
}  // namespace gridloom
