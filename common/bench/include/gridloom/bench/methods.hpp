#pragma once
// The methods of a program whose arms differ in nothing else: one table of entries makes the
// option that chooses among them, the text of --list, and the arms.

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gridloom/bench/catalogue.hpp"
#include "gridloom/bench/harness.hpp"

namespace gridloom::bench {

/// Work of one method: made by methods::arms, and known to what derives from it.
template <class Entry, class Row>
class method_work : public work<Row> {
 public:
  method_work(program& app, Entry const& how, Row const& what)
      : app_(app), how_(how), what_(what) {}

 protected:
  program& app_;
  Entry const& how_;
  Row const what_;
};

/// An Entry has a `name`, `what` it is, and whether it is `traced`: whether work::observe leaves a
/// trace. The entries and the program outlive this and its arms.
template <class Entry>
class methods {
 public:
  /// Before program::parse. `option`, without dashes, takes names of entries; all by default.
  methods(program& frame, std::string const& option, std::string const& text,
          std::span<Entry const> entries)
      : frame_(frame), entries_(entries), names_(names_of(entries)) {
    frame.options()(option.c_str(), choice_list_option(option, names_, names_), text.c_str());
    frame.line().set_list(list_of(entries));
  }
  // The option refers to a member.
  methods(methods const&) = delete;
  methods& operator=(methods const&) = delete;

  /// After it: the entries that were asked for, in that order.
  [[nodiscard]] std::vector<Entry const*> chosen() const {
    std::vector<Entry const*> found;
    for (std::string const& name : names_) {
      found.push_back(&*std::find_if(entries_.begin(), entries_.end(),
                                     [&](Entry const& one) { return one.name == name; }));
    }
    return found;
  }

  /// An arm each, of the entry's name, whose factory makes a Work(frame, entry, row), such as a
  /// method_work. Throws usage_error where --trace was given and none of them is traced.
  template <class Work, class Row>
  [[nodiscard]] std::vector<arm<Row>> arms(Row const& row) const {
    std::vector<arm<Row>> made;
    bool any_traced = false;
    for (Entry const* how : chosen()) {
      any_traced |= how->traced;
      made.push_back({std::string(how->name), row, [&frame = frame_, how, row] {
                        return std::make_unique<Work>(frame, *how, row);
                      }});
    }
    frame_.require_trace(any_traced);
    return made;
  }

 private:
  program& frame_;
  std::span<Entry const> entries_;
  std::vector<std::string> names_;
};

}  // namespace gridloom::bench
