#pragma once
// The command line of every program: the common options, the program's own groups of options, and a
// help text in 80 columns with purpose, choices, examples and exit codes. Boost.Program_options
// splits the command line. parse.hpp reads the values, because Boost wraps negative numbers, and
// its messages do not say what was expected.

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/value_semantic.hpp>
#include <boost/program_options/variables_map.hpp>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gridloom {

/// The options of every program. 0 means "all" or "automatic".
struct common_options {
  /// auto, host or cuda.
  std::string backend = "auto";
  /// Index of the CUDA device.
  int device = 0;
  /// Thread blocks or host threads; 0: all that fit.
  int workers = 0;
  /// Threads per block; 0: the program's choice.
  int threads = 0;
  /// Measured repetitions of a configuration.
  int repeat = 20;
  /// Repetitions before the measured ones.
  int warmup = 1;
  /// Samples of each arm's set-up; 0: one per repetition, for at most a second.
  int setup_samples = 0;
  std::uint64_t seed = 1;
  bool verify = true;
  /// Value of the column `experiment`.
  std::string label = "custom";
  /// HDF5 file for the times of tasks; empty: none.
  std::string trace;
  /// HDF5 file for results; empty: none.
  std::string output;
  bool append = false;
  /// Time limit of a run.
  double timeout_s = 60;
  /// No progress, even on a terminal.
  bool quiet = false;
};

/// Values for the options of a program's own groups. A value is written to the target, whose
/// initial value is the default that --help shows. Names have no dashes. For errors see parse.hpp.
[[nodiscard]] boost::program_options::value_semantic* int_option(
    std::string name, int& target, int min, int max = std::numeric_limits<int>::max());
[[nodiscard]] boost::program_options::value_semantic* int_option(
    std::string name, std::int64_t& target, std::int64_t min,
    std::int64_t max = std::numeric_limits<std::int64_t>::max());
[[nodiscard]] boost::program_options::value_semantic* unsigned_option(std::string name,
                                                                      std::uint64_t& target);
[[nodiscard]] boost::program_options::value_semantic* real_option(
    std::string name, double& target, double min, double max = std::numeric_limits<double>::max());
[[nodiscard]] boost::program_options::value_semantic* text_option(std::string& target,
                                                                  std::string value_name = "TEXT");
[[nodiscard]] boost::program_options::value_semantic* choice_option(
    std::string name, std::string& target, std::vector<std::string> choices);
[[nodiscard]] boost::program_options::value_semantic* int_list_option(
    std::string name, std::vector<std::int64_t>& target, std::int64_t min,
    std::int64_t max = std::numeric_limits<std::int64_t>::max());
[[nodiscard]] boost::program_options::value_semantic* choice_list_option(
    std::string name, std::vector<std::string>& target, std::vector<std::string> choices);

/// A rule for related options. If `option` was given, at least one of `needs` must also be given
/// (unless `needs` is empty), and none of `excludes`. Names have no dashes. "name value" means that
/// the option has this value, or a list with this value, by default or on the command line.
struct option_rule {
  std::string option;
  std::vector<std::string> needs{};
  std::vector<std::string> excludes{};
  /// Why the option is refused on the host. Empty: it is not.
  std::string not_on_host{};
};

/// The command line of a program. Used by the main thread.
class command_line {
 public:
  /// The purpose is the first sentence of --help.
  command_line(std::string program, std::string purpose);
  // The option groups refer to members, so this must not be copied.
  command_line(command_line const&) = delete;
  command_line& operator=(command_line const&) = delete;

  /// Adds options that --help shows before the common ones. Called before parse().
  void add_group(boost::program_options::options_description const& group);

  /// Adds an example to --help: the arguments after the program's name, and what they do.
  void add_example(std::string arguments, std::string what);

  /// Removes a common option that the program does not use. --help omits it, and parse() refuses it
  /// with the reason. Called before parse(). A later reason replaces an earlier one.
  void refuse(std::string option, std::string reason);

  /// Adds rules, which parse() checks, but not those about the host.
  void add_rules(std::vector<option_rule> const& rules);
  /// Called after parse(), if the machine is the host. Throws usage_error for options that are
  /// refused there.
  void check_host_rules() const;

  /// Sets the text that --list prints, such as the methods and inputs.
  void set_list(std::string text) { list_ = std::move(text); }

  /// Reads the arguments. Returns false if the program is done, because --help, --version or --list
  /// was printed to `out`. Throws usage_error naming the option for unknown options, bad values,
  /// leftover arguments, and an --append without --output. Throws it also if an --output or --trace
  /// cannot be written.
  [[nodiscard]] bool parse(int argc, char const* const* argv, std::ostream& out);
  /// Reads the arguments, and prints to standard output.
  [[nodiscard]] bool parse(int argc, char const* const* argv);

  [[nodiscard]] common_options const& common() const { return common_; }

  /// Whether the option (without dashes) was on the command line.
  [[nodiscard]] bool given(std::string const& name) const;

  void print_help(std::ostream& out) const;

 private:
  [[nodiscard]] boost::program_options::options_description common_group();
  void check_refused() const;
  void check_rules() const;
  [[nodiscard]] bool holds(std::string const& condition) const;
  void check_files() const;

  std::string program_;
  std::string purpose_;
  std::string list_;
  std::vector<std::pair<std::string, std::string>> examples_;
  /// The reason for each refused option.
  std::map<std::string, std::string> refused_;
  std::vector<option_rule> rules_;
  common_options common_;
  boost::program_options::options_description common_group_;
  std::vector<boost::program_options::options_description> groups_;
  boost::program_options::variables_map values_;
};

}  // namespace gridloom
