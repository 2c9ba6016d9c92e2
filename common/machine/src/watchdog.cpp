#include "gridloom/watchdog.hpp"

#include <sstream>

#include "gridloom/error.hpp"

namespace gridloom {

namespace {

char const* name_of(wait_kind kind) {
  switch (kind) {
    case wait_kind::nothing: return "nothing";
    case wait_kind::task: return "task";
    case wait_kind::lock: return "lock";
    case wait_kind::queue: return "queue";
    case wait_kind::ring_slot: return "ring slot";
    case wait_kind::neighbour: return "neighbour";
    case wait_kind::barrier: return "barrier";
    case wait_kind::own_work: break;
  }
  return "?";
}

}  // namespace

watchdog::watchdog(device& machine, int workers, double limit_s)
    : machine_(&machine),
      stop_(machine.allocate<std::uint32_t>(1)),
      notes_(machine.allocate<wait_note>(static_cast<std::size_t>(workers))),
      limit_ns_(static_cast<std::uint64_t>(limit_s * 1e9)) {
  arm();
}

watchdog_ref watchdog::arm() {
  machine_->fill_bytes(stop_, 0);
  machine_->fill_bytes(notes_, 0);
  return {stop_.data(), notes_.data(), limit_ns_};
}

bool watchdog::fired() { return machine_->copy_to_host(stop_)[0] != 0; }

std::vector<std::string> watchdog::lines() {
  std::vector<std::string> result;
  auto const notes = machine_->copy_to_host(notes_);
  for (std::size_t worker = 0; worker < notes.size(); ++worker) {
    auto const& note = notes[worker];
    if (note.kind == wait_kind::nothing) continue;
    std::string const who = "worker " + std::to_string(worker);
    if (note.kind == wait_kind::own_work)
      result.push_back(who + " was working: " + std::to_string(note.seen) + " done");
    else
      result.push_back(who + " waited for " + name_of(note.kind) + " " +
                       std::to_string(note.object) + ": saw " + std::to_string(note.seen) +
                       ", wanted " + std::to_string(note.wanted));
  }
  return result;
}

void watchdog::require_in_time(std::string_view what) {
  if (!fired()) return;
  std::ostringstream text;
  text << "timeout after " << static_cast<double>(limit_ns_) * 1e-9 << " s (--timeout-s): " << what;
  for (std::string const& line : lines()) text << "; " << line;
  throw timeout_error(text.str());
}

}  // namespace gridloom
