#include "juggler/rt_owner.hpp"

#include <algorithm>
#include <span>
#include <string>

#include "gridloom/error.hpp"
#include "gridloom/packed_memory.hpp"

namespace gridloom::juggler {

namespace {

std::string too_short(std::uint32_t queue, std::uint32_t length, std::uint32_t tasks) {
  return "queue " + std::to_string(queue) + " is too short: expected --queue-length above " +
         std::to_string(length) + ", or 0 for room for all " + std::to_string(tasks) + " tasks";
}

}  // namespace

rt_owner::rt_owner(device& machine, task_dag const& dag, int workers, std::uint32_t queue_length,
                   bool is_counted)
    : machine_(&machine), is_counted_(is_counted) {
  auto const w = static_cast<std::uint32_t>(workers);
  std::uint32_t const n = dag.tasks();
  bool const is_ring = queue_length != 0 && queue_length < n;
  std::uint32_t const length = is_ring ? queue_length : n + (is_counted ? 0U : 1U);  // SL.R4
  auto const ready = static_cast<std::uint32_t>(dag.ready.size());
  if (is_ring && rt_context_ref::dealt(0, ready, w) > length)
    throw unsupported(too_short(0, length, n));
  std::size_t const entries = std::size_t{length} * w;
  std::size_t const memory = machine.properties().memory_bytes;
  if (memory != 0 && entries * sizeof(std::uint32_t) > memory / 10 * 9) {
    throw usage_error("--queue-length: " + std::to_string(w) + " queues of " +
                      std::to_string(length) + " entries do not fit into " +
                      std::to_string(memory >> 20U) + " MiB; use shorter queues");
  }

  // The parts copied to the device come first. rt_words and inbox_words fill whole cache lines.
  packing state;
  state.add<rt_words>(1);
  std::size_t const inboxes_at = state.add<inbox_words>(w);
  std::size_t const open_at = state.add<std::uint32_t>(n);
  packing parts;
  parts.add<std::byte>(state.bytes());
  std::size_t const ready_at = parts.add<std::uint32_t>(ready);
  packed_image first(parts);
  std::size_t const state_at = parts.add<std::byte>(state.bytes());
  std::size_t const queues_at = parts.add<std::uint32_t>(entries);

  *first.at<rt_words>(0) = {};
  auto* const inboxes = first.at<inbox_words>(inboxes_at);
  for (std::uint32_t q = 0; q < w; ++q) {
    std::uint32_t const dealt = rt_context_ref::dealt(q, ready, w);
    inboxes[q] = {dealt, static_cast<std::int32_t>(dealt), 0, 0};
  }
  first.set(open_at, dag.parents);
  first.set(ready_at, dag.ready);
  memory_ = machine.allocate<std::byte>(parts.bytes());
  machine.copy_to_device(memory_, first.bytes());
  first_state_ = part_of(memory_, 0, state.bytes());
  state_ = part_of(memory_, state_at, state.bytes());
  queues_ = part_of(memory_, queues_at, entries * sizeof(std::uint32_t));

  std::byte* const base = state_.data();
  context_ = {w,
              n,
              length,
              is_ring,
              ready,
              reinterpret_cast<std::uint32_t const*>(memory_.data() + ready_at),
              reinterpret_cast<std::uint32_t*>(queues_.data()),
              reinterpret_cast<inbox_words*>(base + inboxes_at),
              reinterpret_cast<std::uint32_t*>(base + open_at),
              reinterpret_cast<rt_words*>(base),
              nullptr};
}

rt_context_ref rt_owner::next_run(std::uint32_t* stop) {
  machine_->copy_on_device(state_, first_state_);
  if (!is_counted_ && !is_clean_) machine_->fill_bytes(queues_, 0xff);  // SL.R1
  is_clean_ = false;
  context_.stop = stop;
  return context_;
}

std::uint32_t rt_owner::finished() { return machine_->copy_to_host(context_.words).finished; }

load_range rt_owner::loads() {
  std::vector<inbox_words> inboxes(context_.workers);
  machine_->copy_to_host(std::span(inboxes), context_.inboxes);
  auto const [min, max] =
      std::minmax_element(inboxes.begin(), inboxes.end(),
                          [](auto const& a, auto const& b) { return a.executed < b.executed; });
  return {max->executed, min->executed};
}

void rt_owner::require_no_overflow() {
  std::uint32_t const overflowed = machine_->copy_to_host(context_.words).overflowed;
  if (overflowed != 0)
    throw unsupported(too_short(overflowed - 1, context_.queue_length, context_.tasks));
}

std::size_t rt_owner::bytes() const { return memory_.bytes(); }

}  // namespace gridloom::juggler
