#pragma once
// A model of memory. Stores become visible late, in any order that release and acquire allow.
//
// Each word keeps all stored values (its messages) in order. Each worker has a view: for each word,
// the oldest message that it may still read. A relaxed load may return this or any newer message,
// and advances the view of the word to it. A release store attaches the worker's view to its
// message. An acquire load of the message joins that view. An update reads the newest message and
// passes on its attached view (release sequence). This is the promise-free part of Kang et al., "A
// Promising Semantics for Relaxed-Memory Concurrency" (POPL 2017), with one simplification: a store
// is always the newest message of its word.

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace gridloom::test {

/// Random choices of a run, from one seed.
class choices {
 public:
  explicit choices(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15U + 0x632BE59BD9B4E019U) {}
  /// 0 to n - 1.
  std::uint32_t below(std::uint32_t n) {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
    z = (z ^ z >> 27) * 0x94D049BB133111EBU;
    z ^= z >> 31;
    return static_cast<std::uint32_t>((z >> 32) * n >> 32);
  }

 private:
  std::uint64_t state_;
};

struct order_of_access {
  bool acquire = false;
  bool release = false;
};

class weak_memory {
 public:
  static constexpr int max_workers = 8;
  static constexpr std::size_t max_words = 40;
  /// After this many stale reads of a word, a worker gets the newest value, so every wait ends.
  static constexpr int patience = 8;

  /// Removes all words. Of eight reads that could be stale, `stale_of_eight` are stale on average.
  void reset(choices& random, std::uint32_t stale_of_eight) {
    random_ = &random;
    stale_of_eight_ = stale_of_eight;
    words_ = 0;
    put_away_.clear();
    full_fences_ = {};
    workers_.fill({});
  }
  void add(void const* address, std::uint64_t value) {
    if (words_ == max_words) throw std::logic_error("more words than the model has");
    word& w = all_[words_++];
    w.address = address;
    w.messages.assign(1, {value, {}});
  }

  /// Storage for slots of 16 bytes, which are one access. The word of the model holds their index.
  using sixteen_bytes = std::array<std::uint64_t, 2>;
  std::uint64_t put_away(sixteen_bytes const& bytes) {
    put_away_.push_back(bytes);
    return put_away_.size() - 1;
  }
  [[nodiscard]] sixteen_bytes const& put_away_at(std::uint64_t where) const {
    return put_away_.at(where);
  }

  std::uint64_t load(int worker, void const* address, order_of_access order) {
    std::size_t const w = find(address);
    return read(worker, w, pick(worker, w), order);
  }
  void store(int worker, void const* address, std::uint64_t value, order_of_access order) {
    append(worker, find(address), value, order, {});
  }
  /// Replaces the newest value v by `change(v)` and returns v.
  template <class Change>
  std::uint64_t update(int worker, void const* address, order_of_access order, Change&& change) {
    std::size_t const w = find(address);
    auto const newest = static_cast<std::uint32_t>(all_[w].messages.size() - 1);
    std::uint64_t const value = read(worker, w, newest, order);
    append(worker, w, change(value), order, all_[w].messages[newest].attached);
    return value;
  }
  /// Stores `desired` if the word holds `expected`, and returns the value read. A failure is a
  /// relaxed load, which may be stale.
  std::uint64_t exchange_if(int worker, void const* address, std::uint64_t expected,
                            std::uint64_t desired, order_of_access order) {
    std::size_t const w = find(address);
    auto const newest = static_cast<std::uint32_t>(all_[w].messages.size() - 1);
    std::uint32_t picked = pick(worker, w);
    if (all_[w].messages[picked].value == expected) picked = newest;
    if (all_[w].messages[picked].value != expected) return read(worker, w, picked, {});
    return update(worker, address, order, [&](std::uint64_t) { return desired; });
  }
  /// A fence that acquires and releases.
  void fence(int worker) {
    worker_state& me = workers_[static_cast<std::size_t>(worker)];
    join(me.seen, me.read);
    me.fenced = me.seen;
  }
  /// A fence that acquires and releases. All full fences are in one total order: each one sees what
  /// earlier ones saw.
  void full_fence(int worker) {
    worker_state& me = workers_[static_cast<std::size_t>(worker)];
    join(me.read, full_fences_);
    fence(worker);
    full_fences_ = me.seen;
  }
  [[nodiscard]] std::uint64_t newest(void const* address) const {
    return all_[find(address)].messages.back().value;
  }

 private:
  /// A position among the messages of each word.
  using view = std::array<std::uint32_t, max_words>;
  struct message {
    std::uint64_t value;
    view attached;
  };
  struct word {
    void const* address = nullptr;
    std::vector<message> messages;
  };
  struct worker_state {
    /// The oldest messages that loads may return.
    view seen{};
    /// Joined views of all messages read, which an acquire fence adds to `seen`.
    view read{};
    /// `seen` as it was at the last release fence. Relaxed stores attach this view to their
    /// messages.
    view fenced{};
    std::array<int, max_words> stale_reads{};
  };

  static void join(view& into, view const& other) {
    for (std::size_t w = 0; w < max_words; ++w) into[w] = std::max(into[w], other[w]);
  }
  std::size_t find(void const* address) const {
    for (std::size_t w = 0; w < words_; ++w) {
      if (all_[w].address == address) return w;
    }
    throw std::out_of_range("an access outside of all words");
  }
  std::uint32_t pick(int worker, std::size_t w) {
    worker_state& me = workers_[static_cast<std::size_t>(worker)];
    auto const newest = static_cast<std::uint32_t>(all_[w].messages.size() - 1);
    std::uint32_t const oldest = me.seen[w];
    if (oldest == newest) return newest;
    if (me.stale_reads[w] >= patience || random_->below(8) >= stale_of_eight_) {
      me.stale_reads[w] = 0;
      return newest;
    }
    ++me.stale_reads[w];
    return oldest + random_->below(newest - oldest);
  }
  std::uint64_t read(int worker, std::size_t w, std::uint32_t position, order_of_access order) {
    worker_state& me = workers_[static_cast<std::size_t>(worker)];
    message const& m = all_[w].messages[position];
    me.seen[w] = std::max(me.seen[w], position);
    me.read[w] = std::max(me.read[w], position);
    join(me.read, m.attached);
    if (order.acquire) join(me.seen, m.attached);
    return m.value;
  }
  void append(int worker, std::size_t w, std::uint64_t value, order_of_access order,
              view const& passed_on) {
    worker_state& me = workers_[static_cast<std::size_t>(worker)];
    auto const position = static_cast<std::uint32_t>(all_[w].messages.size());
    me.seen[w] = position;
    me.read[w] = std::max(me.read[w], position);
    view attached = order.release ? me.seen : me.fenced;
    join(attached, passed_on);
    attached[w] = position;
    all_[w].messages.push_back({value, attached});
  }

  choices* random_ = nullptr;
  std::uint32_t stale_of_eight_ = 0;
  std::vector<sixteen_bytes> put_away_;
  std::size_t words_ = 0;
  std::array<word, max_words> all_;
  std::array<worker_state, max_workers> workers_{};
  /// `seen` as the last full fence left it. This includes what earlier full fences saw.
  view full_fences_{};
};

}  // namespace gridloom::test
