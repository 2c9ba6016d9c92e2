#pragma once
// The times of every task, as --trace stores them: the table "trace".

#include <string>

#include "gridloom/bench/measured.hpp"
#include "gridloom/trace.hpp"

namespace gridloom::bench {

/// Collects the traces of all arms.
class trace_log {
 public:
  trace_log();

  /// The events since the trace was armed, times from the first begin. Returns how many found no
  /// room.
  std::uint64_t add(std::string const& arm, trace_buffer& events);

  [[nodiscard]] result_table const& contents() const { return rows_.contents(); }

 private:
  struct row {
    std::string arm;
    int worker;
    trace_event event;
  };
  table<row> rows_;
};

}  // namespace gridloom::bench
