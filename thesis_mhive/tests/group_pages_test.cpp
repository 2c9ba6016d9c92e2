// Tests the entries of group_pages.hpp in modelled memory, under seeded schedules. Several workers
// release parts that want the same entry, while others claim and read their tickets.

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <memory>

#include "explore.hpp"
#include "mhive/work_queue.hpp"

BOOST_AUTO_TEST_SUITE(group_pages_test)

using namespace gridloom;
using namespace gridloom::mhive;
using namespace gridloom::test;

namespace {

using queue_ref = work_queue_ref<std::uint32_t>;
using groups_ref = group_pages_ref<std::uint32_t>;

using pointers = std::map<std::uint64_t, std::uint32_t const*>;

/// Memory in which the word of an entry is modelled. The pointer, which is read in the same access
/// on a GPU, belongs to the word without its number of unread items.
class entry_memory : public scheduled_memory {
 public:
  entry_memory(schedule& on, int worker, pointers& known)
      : scheduled_memory(on, worker), known_(&known) {}
  using scheduled_memory::put_tagged;

  void put_tagged(groups_ref::entry* p, std::uint64_t tag, std::uint32_t const* items) {
    (*known_)[tag >> 16U] = items;
    store_in_batch(&p->tag, tag);
  }
  template <class Accepts>
  bool get_tagged_if(groups_ref::entry const* p, Accepts const& accepts, groups_ref::entry& seen) {
    seen.tag = load_acquire(&p->tag);
    if (!accepts(seen.tag)) return false;
    seen.value = known_->at(seen.tag >> 16U);
    return true;
  }

 private:
  pointers* known_;
};

/// Numbers of parts in all schedules.
struct part_counts {
  int published = 0;
  int copied = 0;
};

/// Two workers release parts of `size` items each, in a ring that all use several times. Two others
/// execute them.
class contended_entry {
 public:
  static constexpr std::uint32_t capacity = 4;
  static constexpr std::uint32_t parts = 3;
  static constexpr std::uint32_t most = 2 * parts * 2;

  contended_entry(schedule& on, std::uint32_t size, std::uint32_t first, part_counts& counts)
      : on_(&on), size_(size), first_(first), counts_(&counts) {
    weak_memory& memory = on.memory();
    for (std::uint32_t i = 0; i < capacity; ++i) {
      tagged<std::uint32_t> const slot{queue_ref::first_tag(i, capacity, first), 0};
      memory.add(&state_->slots[i], std::bit_cast<std::uint64_t>(slot));
    }
    memory.add(&state_->words.tail, first);
    memory.add(&state_->head, first);
    memory.add(&state_->entry.tag, 0);
    for (std::uint32_t i = 0; i < most; ++i) {
      memory.add(&state_->notes[i], 0);
      state_->items[i] = i;
    }
  }
  [[nodiscard]] int workers() const { return 4; }
  void work(int worker) {
    entry_memory memory{*on_, worker, state_->known};
    queue_ref const queue{
        {state_->slots.data(), capacity}, &state_->words, {&state_->entry, capacity}};
    if (worker < 2) {
      for (std::uint32_t k = 0; k < parts; ++k) {
        release(memory, queue, (static_cast<std::uint32_t>(worker) * parts + k) * size_);
      }
    } else {
      for (;;) {
        std::uint32_t const ticket = memory.fetch_add_relaxed(&state_->head, 1U);
        if (ticket - first_ >= 2 * parts * size_) return;
        execute(memory, queue, ticket);
      }
    }
  }
  [[nodiscard]] std::string verdict() const {
    if (state_->unseen != 0) return "a task does not see what was written before its release";
    if (part::unread(on_->memory().newest(&state_->entry.tag)) != 0)
      return "the entry is still in use";
    for (std::uint32_t i = 0; i < 2 * parts * size_; ++i) {
      if (state_->times[i] != 1) return "an item was not read once";
    }
    return "";
  }

 private:
  struct memory_of_run {
    queue_words words{};
    std::uint32_t head = 0;
    groups_ref::entry entry{};
    std::array<tagged<std::uint32_t>, capacity> slots{};
    std::array<std::uint32_t, most> items{};
    std::array<std::uint32_t, most> notes{};
    std::array<int, most> times{};
    int unseen = 0;
    pointers known;
  };

  void release(entry_memory& memory, queue_ref const& queue, std::uint32_t from) {
    for (std::uint32_t i = from; i < from + size_; ++i) {
      memory.store_relaxed(&state_->notes[i], 1U);
    }
    std::uint32_t const ticket = queue.reserve(memory, size_);
    memory.batch_fence();
    bool const published = queue.groups.publish(memory, ticket, size_, state_->items.data() + from);
    ++(published ? counts_->published : counts_->copied);
    if (published) return;
    for (std::uint32_t i = 0; i < size_; ++i) {
      while (!queue.has_room(memory, ticket + i)) on_->yielded();
      queue.publish(memory, ticket + i, from + i);
    }
  }
  // As in unit.hpp.
  void execute(entry_memory& memory, queue_ref const& queue, std::uint32_t ticket) {
    std::uint32_t item = 0;
    bool in_group = false;
    for (;; on_->yielded()) {
      in_group = queue.groups.find(memory, ticket, item) && queue.has_room(memory, ticket);
      if (in_group || queue.get(memory, ticket, item)) break;
    }
    queue.free(memory, ticket, item);
    if (in_group) queue.groups.count_read(memory, ticket);
    ++state_->times[item];
    if (memory.load_relaxed(&state_->notes[item]) != 1) ++state_->unseen;
  }

  schedule* on_;
  std::uint32_t size_;
  std::uint32_t first_;
  part_counts* counts_;
  std::unique_ptr<memory_of_run> state_ = std::make_unique<memory_of_run>();
};

BOOST_AUTO_TEST_CASE(an_entry_serves_one_part_after_the_other_and_others_are_copied) {
  for (std::uint32_t const size : {1U, 2U}) {
    for (std::uint32_t const first : {0U, 2U, ~0U - 2}) {
      part_counts counts;
      explore("parts of " + std::to_string(size) + " from ticket " + std::to_string(first),
              seeds_from(8000), [&](schedule& on) {
                return contended_entry{on, size, first, counts};
              });
      BOOST_TEST_MESSAGE(counts.published << " parts published, " << counts.copied << " copied");
      BOOST_TEST(counts.published > 0);
      BOOST_TEST(counts.copied > 0);
    }
  }
}

// After 2^32 tickets a number comes again, and may be that of a single task.
BOOST_AUTO_TEST_CASE(an_entry_whose_items_were_read_contains_no_ticket) {
  direct_memory memory;
  groups_ref::entry entry{};
  groups_ref const groups{&entry, 4};
  std::array<std::uint32_t, 2> const items{7, 8};
  std::uint32_t item = 0;
  BOOST_TEST(!groups.find(memory, 0, item));
  BOOST_TEST(groups.publish(memory, ~0U, 2, items.data()));
  BOOST_TEST(!groups.find(memory, ~0U - 1, item));
  BOOST_TEST(!groups.find(memory, 1, item));
  for (std::uint32_t const ticket : {0U, ~0U}) {
    BOOST_TEST(!groups.publish(memory, 1, 1, items.data()));
    BOOST_TEST(groups.find(memory, ticket, item));
    BOOST_TEST(item == items[ticket + 1]);
    groups.count_read(memory, ticket);
  }
  BOOST_TEST(!groups.find(memory, 0, item));
  BOOST_TEST(groups.publish(memory, 1, 1, items.data()));
}

BOOST_AUTO_TEST_CASE(the_word_of_an_entry_holds_three_numbers) {
  for (std::uint32_t const first : {0U, 1U, ~0U}) {
    for (std::uint32_t const size : {0U, 1U, groups_ref::page}) {
      std::uint64_t const word = part::word(first, size, size);
      BOOST_TEST(part::first(word) == first);
      BOOST_TEST(part::size(word) == size);
      BOOST_TEST(part::unread(word) == size);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
