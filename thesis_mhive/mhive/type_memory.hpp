#pragma once
// Owns, on the host, one task type's queue and waiting storage, and prepares them for a run.

#include <cstdint>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/error.hpp"
#include "mhive/run_ref.hpp"

namespace gridloom::mhive {

/// Sizes of a type's memory, each a power of two.
struct type_sizes {
  std::uint32_t queue;
  std::uint32_t storage;
};

/// Owns the memory of one task type. Used by one thread at a time.
template <class Type>
class type_memory {
 public:
  using item_type = typename Type::work_item;
  using slot_type = tagged<item_type>;
  using pages_type = group_pages_ref<item_type>;
  static constexpr bool waits = waits_for_dependencies<Type>;

  type_memory(device& machine, type_sizes sizes) : machine_(machine), sizes_(sizes) {
    slots_ = machine.allocate<slot_type>(sizes.queue);
    std::vector<slot_type> fresh(sizes.queue);
    for (std::uint32_t t = 0; t < sizes.queue; ++t) fresh[t].tag = t;
    fresh_ = machine.allocate_copy(fresh);
    if constexpr (is_grouped<Type>) {
      groups_ = machine.allocate<typename pages_type::entry>(pages_type::entries_for(sizes.queue));
    }
    if constexpr (waits) {
      states_ = machine.allocate<std::uint32_t>(sizes.storage);
      waiting_ = machine.allocate<item_type>(sizes.storage);
      owners_ = machine.allocate<std::int64_t*>(sizes.storage);
    }
  }

  /// Tasks with which each run starts, and which wait: item k for needed[k] reductions of the
  /// dependency with the word words[k]. `place` is task_place::of.
  struct waiting_tasks {
    std::vector<item_type> items;
    std::vector<std::int32_t> needed;
    std::int64_t* words;
    std::uint32_t (*place)(std::uint32_t slot);
  };

  /// Returns the items with which each run starts.
  std::vector<item_type>& at_start() { return at_start_; }
  std::vector<waiting_tasks>& waiting_at_start() { return waiting_at_start_; }

  /// Fills the queue and the waiting storage with the items with which a run starts. Returns the
  /// number of items in the queue. If they are too many, it stays empty.
  std::size_t prepare() {
    machine_.copy_on_device(slots_, fresh_);
    std::vector<item_type> items = at_start_;
    if constexpr (is_grouped<Type>) machine_.fill_bytes(groups_, 0);
    if constexpr (waits) fill_storage(items);
    if (items.size() > sizes_.queue) return items.size();
    std::vector<slot_type> filled;
    filled.reserve(items.size());
    for (item_type const& item : items) {
      filled.push_back({static_cast<std::uint32_t>(filled.size()) + 1, item});
    }
    machine_.copy_to_device(slots_, std::span<slot_type const>{filled});
    return items.size();
  }
  detail::type_memory<Type> ref(queue_words* words) const {
    detail::type_memory<Type> result;
    result.queue = {{slots_.data(), sizes_.queue}, words, {groups_.data(), sizes_.queue}};
    if constexpr (waits) {
      result.storage = {states_.data(), waiting_.data(), owners_.data(), sizes_.storage};
    }
    return result;
  }

  [[nodiscard]] std::size_t bytes() const {
    return slots_.bytes() + fresh_.bytes() + groups_.bytes() + states_.bytes() + waiting_.bytes() +
           owners_.bytes();
  }

  /// Returns the number of tasks that still wait for dependencies after a run. Appends a text about
  /// the first few to `about`: the work item if it can be printed, and the number of missing
  /// reductions.
  std::uint64_t waiting(std::string& about) const {
    std::uint64_t n = 0;
    if constexpr (waits) {
      auto const states = machine_.copy_to_host(states_);
      for (std::uint32_t slot = 0; slot < states.size(); ++slot) {
        if ((states[slot] & slot_state::filled) == 0) continue;
        if (n < described) about += (n == 0 ? "" : ", ") + describe(slot);
        ++n;
      }
      if (n > described) about += ", ...";
    }
    return n;
  }

  /// Returns the number of queued tasks that were not executed, after a run that was stopped.
  std::uint64_t queued() const {
    std::uint64_t n = 0;
    std::uint32_t slot = 0;
    // A slot with an item holds the tag of its ticket plus one.
    for (slot_type const& held : machine_.copy_to_host(slots_)) {
      n += ((held.tag - 1) & (sizes_.queue - 1)) == slot++ ? 1 : 0;
    }
    if constexpr (is_grouped<Type>) {
      for (auto const& entry : machine_.copy_to_host(groups_)) {
        if (part::size(entry.tag) != 0) n += part::unread(entry.tag);
      }
    }
    return n;
  }

  /// Returns a text about the tasks that grouped dependencies hold back.
  std::string held_back(queue_words const& words) const {
    std::string text = std::to_string(words.held_back & 0xffffffffU) + " in " +
                       std::to_string(words.held_back >> 32U) + " groups";
    if (words.one_group == 0) return text;
    group_dependency<Type> const group =
        machine_.copy_to_host(reinterpret_cast<group_dependency<Type> const*>(words.one_group));
    return text + ", one of " + std::to_string(group.size) + " (" + std::to_string(group.count) +
           " missing)";
  }

 private:
  static constexpr std::uint64_t described = 3;

  // Does for the tasks that wait at the start what context::enqueue_with_dependencies does for
  // one. Appends tasks whose reductions are made already to `ready`.
  void fill_storage(std::vector<item_type>& ready) {
    machine_.fill_bytes(states_, 0);
    if (waiting_at_start_.empty()) return;
    using word = dependency<>;
    std::vector<std::uint32_t> states(sizes_.storage);
    std::vector<item_type> items(sizes_.storage);
    std::vector<std::int64_t*> owners(sizes_.storage);
    waiting_storage_ref<Type> const storage{states.data(), items.data(), owners.data(),
                                            sizes_.storage};
    direct_memory memory;
    std::uint32_t salt = 0;
    for (waiting_tasks const& tasks : waiting_at_start_) {
      std::vector<std::int64_t> words(tasks.items.size());
      machine_.copy_to_host(std::span{words}, static_cast<std::int64_t const*>(tasks.words));
      for (std::size_t k = 0; k < words.size(); ++k) {
        item_type const& item = tasks.items[k];
        words[k] += word::of(tasks.needed[k], 0);
        if (word::count_of(words[k]) <= 0) {
          ready.push_back(item);
          continue;
        }
        std::uint32_t const slot =
            storage.reserve(memory, Type::insert_policy::start(item, salt++));
        storage.write(memory, slot, item, tasks.words + k);
        words[k] += tasks.place(slot);
      }
      machine_.copy_to_device(tasks.words, std::span<std::int64_t const>{words});
    }
    machine_.copy_to_device(states_, std::span<std::uint32_t const>{states});
    machine_.copy_to_device(waiting_, std::span<item_type const>{items});
    machine_.copy_to_device(owners_, std::span<std::int64_t* const>{owners});
  }

  std::string describe(std::uint32_t slot) const {
    std::ostringstream text;
    item_type const item = machine_.copy_to_host(waiting_.data() + slot);
    if constexpr (requires { text << item; }) {
      text << "item " << item;
    } else {
      text << "slot " << slot;
    }
    std::int64_t const* const owner = machine_.copy_to_host(owners_.data() + slot);
    std::int32_t const count = dependency<>::count_of(machine_.copy_to_host(owner));
    if (count > 0) {
      text << " (" << count << " missing)";
    } else {
      text << " (another task was enqueued on its dependency)";
    }
    return text.str();
  }

  device& machine_;
  type_sizes sizes_;
  buffer<slot_type> slots_;
  /// The initial slots, whose tags are 0, 1, 2, ...
  buffer<slot_type> fresh_;
  buffer<typename pages_type::entry> groups_;
  buffer<std::uint32_t> states_;
  buffer<item_type> waiting_;
  buffer<std::int64_t*> owners_;
  std::vector<item_type> at_start_;
  std::vector<waiting_tasks> waiting_at_start_;
};

}  // namespace gridloom::mhive
