#pragma once
// The methods of a program. Each method is registered once, in a table. The table determines the
// option that chooses methods, the text of --list, the checks of options, and the arms.

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gridloom/bench/catalogue.hpp"
#include "gridloom/bench/harness.hpp"

namespace gridloom::bench {

/// Origin of a method: the paper, an alternative that a user would take, or our addition to the
/// paper. A floor is a lower bound for the others, without a correct result.
enum class origin { unsaid, published, rival, ours, floor };

/// Makes the work of an arm from the problem and a row with the arm's settings.
template <class Row>
using factory = std::unique_ptr<work<Row>> (*)(typename Row::problem_type&, Row const&);

/// A factory that makes a Work(problem, row).
template <class Work>
struct maker {
  template <class Row>
  constexpr operator factory<Row>() const {  // NOLINT: converts to what the table asks for
    return [](typename Row::problem_type& problem, Row const& row) -> std::unique_ptr<work<Row>> {
      return std::make_unique<Work>(problem, row);
    };
  }
};
template <class Work>
inline constexpr maker<Work> makes{};

struct no_traits {};

/// An entry of the table, written with designated initialisers. Traits holds further facts.
template <class Row, class Traits = no_traits>
struct method {
  std::string_view name;
  std::string_view what;
  origin by = origin::unsaid;
  /// Options, separated by blanks, that affect this method. Such an option is refused if no chosen
  /// method takes it. Options that no method names here are for all methods.
  std::string_view takes{};
  bool on_host = true;
  bool on_cuda = true;
  /// Smallest compute capability on CUDA; 90 means 9.0.
  int needs = 0;
  /// Whether work::observe leaves a trace.
  bool traced = false;
  /// See arm::on_host.
  bool host_code = false;
  /// See arm::as_it_is.
  bool as_it_is = false;
  /// Whether --timeout-s ends a run, and whether it does so on CUDA. If not, the option refuses the
  /// method if it was named, and otherwise leaves it out.
  bool stops = true, stops_on_cuda = true;
  /// Names of the things that the method is for, such as the program's applications, separated by
  /// blanks. Empty: all of them.
  std::string_view goes_with{};
  Traits traits{};
  factory<Row> make;

  [[nodiscard]] bool takes_option(std::string_view option) const;
  [[nodiscard]] bool is_for(std::string_view user) const;
};

/// The facts of an entry that do not depend on the row.
struct method_facts {
  std::string name, what;
  origin by;
  std::string takes;
  bool on_host, on_cuda;
  int needs;
  bool stops, stops_on_cuda;
  std::string goes_with;
};

/// The part of class methods that does not depend on the row.
class method_choice {
 public:
  method_choice(program& frame, std::string option, std::string const& text,
                std::vector<method_facts> all, std::vector<std::string> standard);
  // The option refers to a member, so this must not be copied.
  method_choice(method_choice const&) = delete;
  method_choice& operator=(method_choice const&) = delete;

  /// One line per method for --list.
  [[nodiscard]] std::string list() const;
  /// Called after parse. Returns the table's indices of the requested methods, in the requested
  /// order, or of all methods that the machine supports. Throws unsupported for a method that the
  /// machine does not support, unless --skip-missing was given. Throws usage_error for an option
  /// that affects none of the chosen methods.
  [[nodiscard]] std::vector<std::size_t> chosen() const;
  /// Throws usage_error if a method was asked for by name that is for none of `names`, the values
  /// of `option`.
  void require_goes_with(std::string const& option, std::vector<std::string> const& names) const;
  /// Whether some method names the option in `takes`.
  [[nodiscard]] bool is_taken(std::string_view option) const;

 private:
  [[nodiscard]] std::string why_not_here(method_facts const& one) const;
  /// Whether --timeout-s was given although it cannot end a run of this method on this machine.
  [[nodiscard]] bool outlasts_limit(method_facts const& one) const;
  void check_options(std::vector<std::size_t> const& chosen) const;

  program& frame_;
  std::string option_;
  std::vector<method_facts> all_;
  std::vector<std::string> names_;
  bool skips_missing_ = false;
};

/// The parts of a text between blanks.
[[nodiscard]] std::vector<std::string> words_of(std::string_view text);
[[nodiscard]] bool has_word(std::string_view words, std::string_view word);

/// Throws usage_error "--option: N is given twice", because two arms would have the same name.
/// `written` formats a value as the user wrote it.
template <class Value, class Written = std::identity>
void require_distinct(std::string const& option, std::vector<Value> values,
                      Written const& written = {}) {
  std::sort(values.begin(), values.end());
  auto const twice = std::adjacent_find(values.begin(), values.end());
  if (twice == values.end()) return;
  std::ostringstream text;
  text << "--" << option << ": " << written(*twice) << " is given twice";
  throw usage_error(text.str());
}

/// Throws usage_error for an option that is among the `takes` of some entries, but of none of the
/// chosen ones. `option` chooses entries.
template <class Entry>
void require_takers(command_line const& line, std::string const& option,
                    std::span<Entry const> entries, std::vector<Entry const*> const& chosen) {
  for (Entry const& taker : entries) {
    for (std::string const& taken : words_of(taker.takes)) {
      auto const takes = [&](Entry const* one) { return has_word(one->takes, taken); };
      if (!line.given(taken) || std::any_of(chosen.begin(), chosen.end(), takes)) continue;
      std::vector<std::string> takers;
      for (Entry const& one : entries) {
        if (takes(&one)) takers.emplace_back(one.name);
      }
      // The message names the entries that take the option, or a chosen entry that does not take
      // it, whichever is shorter.
      bool const few = 2 * takers.size() <= entries.size();
      throw usage_error("--" + taken + (few ? ": goes with --" : ": cannot go with --") + option +
                        " " + (few ? joined(takers, " or ") : std::string(chosen.front()->name)));
    }
  }
}

template <class Row, class Traits>
bool method<Row, Traits>::takes_option(std::string_view option) const {
  return has_word(takes, option);
}
template <class Row, class Traits>
bool method<Row, Traits>::is_for(std::string_view user) const {
  return goes_with.empty() || has_word(goes_with, user);
}

/// An arm of a method. The problem must outlive it.
template <class Row, class Traits>
[[nodiscard]] arm<Row> arm_of(method<Row, Traits> const& one, typename Row::problem_type& problem,
                              std::string name, typename Row::settings_type settings) {
  Row const row{std::move(settings), {}, one.name, &problem};
  arm<Row> made{std::move(name), row,
                [make = one.make, &problem, row] { return make(problem, row); }};
  made.on_host = one.host_code;
  made.as_it_is = one.as_it_is;
  return made;
}

/// For a column: a fact of the row's `kernel`; missing if no kernel was measured.
inline auto kernel_fact(int kernel_facts::*fact) {
  return [fact](auto const& row) {
    return row.kernel.registers == 0 ? int{missing_integer} : row.kernel.*fact;
  };
}

/// The options that take lists. The arms of a method differ in one value of each list.
template <class Settings>
class sweep {
 public:
  /// Makes one arm per value, for methods that take the option. If there are no values, the
  /// settings are unchanged. `set(settings, value)`, or a member of the settings, stores a value.
  /// `label(value)` is appended to the name of the arm. Without a label, `prefix` and the value are
  /// appended if there are several values.
  template <class Value, class Set>
  sweep& over(std::string option, std::vector<Value> const& values, Set set,
              std::string const& prefix = "") {
    bool const several = values.size() > 1;
    return over(std::move(option), values, std::move(set),
                std::function<std::string(Value const&)>([several, prefix](Value const& value) {
                  return several ? " " + prefix + text_of(value) : std::string();
                }));
  }
  template <class Value, class Set, std::invocable<Value const&> Label>
  sweep& over(std::string option, std::vector<Value> const& values, Set set, Label label) {
    if constexpr (std::is_integral_v<Value>) require_distinct(option, values);
    swept one{std::move(option), {}};
    for (Value const& value : values) {
      one.values.push_back({[set, value](Settings& to) {
                              if constexpr (std::is_member_object_pointer_v<Set>) {
                                using type = std::remove_cvref_t<decltype(to.*set)>;
                                to.*set = static_cast<type>(value);
                              } else {
                                set(to, value);
                              }
                            },
                            label(value)});
    }
    swept_.push_back(std::move(one));
    return *this;
  }

  /// Sets a function that is called for every combination of values, for settings that depend on
  /// several of them.
  sweep& then(std::function<void(Settings&)> last) {
    then_ = std::move(last);
    return *this;
  }

  struct variant {
    std::string label;
    Settings settings;
  };
  /// All combinations of values. Only options with `varies(option)` vary, the last one fastest.
  template <class Varies>
  [[nodiscard]] std::vector<variant> variants(Settings const& base, Varies varies) const {
    std::vector<variant> all{{"", base}};
    for (swept const& one : swept_) {
      if (one.values.empty() || !varies(one.option)) continue;
      std::vector<variant> next;
      for (variant const& before : all) {
        for (auto const& [set, label] : one.values) {
          next.push_back({before.label + label, before.settings});
          set(next.back().settings);
        }
      }
      all = std::move(next);
    }
    for (variant& one : all) {
      if (then_) then_(one.settings);
    }
    return all;
  }

 private:
  struct swept {
    std::string option;
    std::vector<std::pair<std::function<void(Settings&)>, std::string>> values;
  };
  template <class Value>
  static std::string text_of(Value const& value) {
    if constexpr (std::is_arithmetic_v<Value>) {
      return std::to_string(value);
    } else {
      return std::string(value);
    }
  }

  std::vector<swept> swept_;
  std::function<void(Settings&)> then_;
};

/// A table of methods with its command-line options. The table and the program must outlive this
/// object and the arms.
template <class Row, class Traits = no_traits>
class methods : public method_choice {
 public:
  using entry = method<Row, Traits>;
  using problem_type = typename Row::problem_type;
  using settings_type = typename Row::settings_type;

  /// Called before program::parse. `option`, without dashes, takes names of entries. Without the
  /// option, the entries in `standard` run, or all that the machine supports.
  methods(program& frame, std::string option, std::string const& text,
          std::span<entry const> entries, std::vector<std::string> standard = {})
      : method_choice(frame, std::move(option), text, facts_of(entries), std::move(standard)),
        frame_(frame),
        entries_(entries) {}

  /// The chosen entries. Called after program::parse.
  [[nodiscard]] std::vector<entry const*> entries() const {
    std::vector<entry const*> found;
    for (std::size_t const place : chosen()) found.push_back(&entries_[place]);
    return found;
  }

  /// The arms of the chosen methods, one for each combination of the list options that a method
  /// takes. `base(entry)` has all other settings, or is an empty std::optional for a method that is
  /// left out. The problem must outlive the arms. Throws usage_error if --trace was given and no
  /// method leaves a trace.
  template <class Base>
  [[nodiscard]] std::vector<arm<Row>> arms(problem_type& problem, Base base,
                                           sweep<settings_type> const& over = {}) const {
    std::vector<arm<Row>> made;
    bool any_traced = false;
    for (entry const* one : entries()) {
      any_traced |= one->traced;
      auto const varies = [&](std::string const& option) {
        return !is_taken(option) || one->takes_option(option);
      };
      std::optional<settings_type> const fixed = base(*one);
      if (!fixed) continue;
      for (auto const& [label, settings] : over.variants(*fixed, varies)) {
        made.push_back(arm_of(*one, problem, std::string(one->name) + label, settings));
      }
    }
    frame_.require_trace(any_traced);
    return made;
  }

 private:
  static std::vector<method_facts> facts_of(std::span<entry const> entries) {
    std::vector<method_facts> all;
    for (entry const& one : entries) {
      all.push_back({std::string(one.name), std::string(one.what), one.by, std::string(one.takes),
                     one.on_host, one.on_cuda, one.needs, one.stops, one.stops_on_cuda,
                     std::string(one.goes_with)});
    }
    return all;
  }

  program& frame_;
  std::span<entry const> entries_;
};

}  // namespace gridloom::bench
