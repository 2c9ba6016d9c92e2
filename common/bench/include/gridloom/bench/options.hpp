#pragma once
// The command line of every program: the common options of all, the program's own in groups beside
// them, help with purpose, choices, examples and exit codes, in 80 columns. Boost.Program_options
// does the splitting; values are read by parse.hpp, because Boost wraps negative numbers and does
// not say what was expected.

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

/// What every program understands. Times in seconds; "all" and "automatic" are 0.
struct common_options {
  std::string backend = "auto";  // auto, host or cuda
  int device = 0;                // index of the CUDA device
  int workers = 0;               // thread blocks or host threads; 0: all that fit
  int threads = 0;               // threads a block; 0: the program's choice
  int repeat = 20;               // measured repetitions of a configuration
  int warmup = 1;                // repetitions before them that are not counted
  std::uint64_t seed = 1;
  bool verify = true;
  std::string label = "custom";  // column experiment of the results
  std::string trace;             // HDF5 file for per-task times; empty: none
  std::string output;            // HDF5 file for results; empty: none
  bool append = false;
  double timeout_s = 60;  // wall time of a persistent loop
  bool quiet = false;     // no progress bar, also on a terminal
};

/// Values for options of a program's own groups: they write to the target, whose value at this call
/// is the default that --help shows. The name is without dashes. Errors as in parse.hpp.
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

/// Which options go together. `option` was given: `needs` is empty or one of them was given as well,
/// and none of `excludes` was. All without dashes.
struct option_rule {
  std::string option;
  std::vector<std::string> needs{};
  std::vector<std::string> excludes{};
};

/// One per program, used from main's thread.
class command_line {
 public:
  /// The purpose is one sentence, the first of --help; a program may have defaults of its own.
  command_line(std::string program, std::string purpose, common_options defaults = {});
  // The option groups refer to members.
  command_line(command_line const&) = delete;
  command_line& operator=(command_line const&) = delete;

  /// Adds options of the program, shown before the common ones; before parse().
  void add_group(boost::program_options::options_description const& group);

  /// Adds an example to --help: the arguments after the program's name, and what they do.
  void add_example(std::string arguments, std::string what);

  /// A common option that the program has no use for: left out of --help, and refused with the
  /// reason when it is given. Before parse(); the last reason counts.
  void refuse(std::string option, std::string reason);

  /// Checked by parse().
  void add_rules(std::vector<option_rule> const& rules);

  /// The lines that --list prints, such as the experiments, methods and inputs there are.
  void set_list(std::string text) { list_ = std::move(text); }

  /// Reads the arguments. Returns false when --help, --version or --list was asked for and printed
  /// to `out`: the program is done. Throws usage_error that names the option on unknown options,
  /// bad values, leftover arguments, an --append without --output, and on an --output or --trace
  /// that cannot be written. Of --verify and --no-verify, and of --progress and --quiet, the last
  /// wins.
  [[nodiscard]] bool parse(int argc, char const* const* argv, std::ostream& out);
  /// The same, printing to standard output.
  [[nodiscard]] bool parse(int argc, char const* const* argv);

  [[nodiscard]] common_options const& common() const { return common_; }

  /// True when the option (without dashes) was on the command line, not merely a default.
  [[nodiscard]] bool given(std::string const& name) const;

  /// All values, for options that were added without a target.
  [[nodiscard]] boost::program_options::variables_map const& values() const { return values_; }

  void print_help(std::ostream& out) const;

 private:
  [[nodiscard]] boost::program_options::options_description common_group();
  void check_refused() const;
  void check_rules() const;
  void check_files() const;

  std::string program_;
  std::string purpose_;
  std::string list_;
  std::vector<std::pair<std::string, std::string>> examples_;
  std::map<std::string, std::string> refused_;  // option, reason
  std::vector<option_rule> rules_;
  common_options common_;
  boost::program_options::options_description common_group_;
  std::vector<boost::program_options::options_description> groups_;
  boost::program_options::variables_map values_;
};

}  // namespace gridloom
