#include "pets/timeline.hpp"

#include <algorithm>

namespace gridloom::pets {

time_value gaps::longest(std::uint32_t root) const {
  return root == none ? 0 : nodes_[root].longest;
}

// Walks down the tree once. Gaps do not overlap, so of those that start before `ready`, only the
// last can hold the task. For later gaps, only the length matters.
time_value gaps::earliest_start(time_value ready, time_value cost) const {
  if (ready >= end_) return ready;
  if (cost > longest(root_)) return end_;
  // The last gap that starts before `ready`.
  std::uint32_t before = none;
  // A node whose gap is long enough, or whose right subtree has such a gap.
  std::uint32_t fits = none;
  for (std::uint32_t at = root_; at != none;) {
    node const& gap = nodes_[at];
    if (gap.start < ready) {
      before = at;
      at = gap.right;
      continue;
    }
    if (gap.end - gap.start >= cost || (gap.right != none && longest(gap.right) >= cost)) fits = at;
    at = gap.left;
  }
  if (before != none && ready + cost <= nodes_[before].end) return ready;
  if (fits == none) return end_;
  node const& gap = nodes_[fits];
  return gap.end - gap.start >= cost ? gap.start : nodes_[first_of_length(gap.right, cost)].start;
}

// The leftmost gap that is long enough. The subtree must have one.
std::uint32_t gaps::first_of_length(std::uint32_t root, time_value cost) const {
  for (std::uint32_t at = root;;) {
    node const& gap = nodes_[at];
    if (gap.left != none && longest(gap.left) >= cost) {
      at = gap.left;
    } else if (gap.end - gap.start >= cost) {
      return at;
    } else {
      at = gap.right;
    }
  }
}

void gaps::take(time_value start, time_value cost) {
  time_value const finish = start + cost;
  if (start >= end_) {
    if (start > end_) insert(end_, start);
    end_ = finish;
    return;
  }
  path_.clear();
  std::uint32_t at = root_;
  while (at != none && !(nodes_[at].start <= start && start < nodes_[at].end)) {
    path_.push_back(at);
    at = start < nodes_[at].start ? nodes_[at].left : nodes_[at].right;
  }
  // A task without cost at the end of a gap changes nothing.
  if (at == none) return;
  node& gap = nodes_[at];
  time_value const end = gap.end;
  bool const before = gap.start < start;
  bool const after = finish < end;
  if (!before && !after) {
    erase(at);
    update_path();
    return;
  }
  // The gap becomes shorter and keeps its place in the tree.
  if (before) {
    gap.end = start;
  } else {
    gap.start = finish;
  }
  path_.push_back(at);
  update_path();
  if (before && after) insert(finish, end);
}

std::size_t gaps::depth() const {
  std::size_t levels = 0;
  std::vector<std::uint32_t> below;
  for (std::vector<std::uint32_t> level{root_};; level.swap(below)) {
    std::erase(level, none);
    if (level.empty()) return levels;
    ++levels;
    below.clear();
    for (std::uint32_t const at : level)
      below.insert(below.end(), {nodes_[at].left, nodes_[at].right});
  }
}

void gaps::update(std::uint32_t at) {
  node& gap = nodes_[at];
  gap.longest = std::max({gap.end - gap.start, longest(gap.left), longest(gap.right)});
}

void gaps::update_path() {
  for (std::size_t i = path_.size(); i-- > 0;) {
    time_value const old = nodes_[path_[i]].longest;
    update(path_[i]);
    if (nodes_[path_[i]].longest == old) return;
  }
}

void gaps::insert(time_value start, time_value end) {
  // Must come before nodes_ is indexed, because new_node may reallocate it.
  std::uint32_t const added = new_node(start, end);
  std::uint32_t* link = &root_;
  while (*link != none && nodes_[*link].priority >= nodes_[added].priority) {
    node& gap = nodes_[*link];
    gap.longest = std::max(gap.longest, end - start);
    link = start < gap.start ? &gap.left : &gap.right;
  }
  std::uint32_t const below = *link;
  *link = added;
  split(below, start, nodes_[added].left, nodes_[added].right);
  update(added);
}

// path_ must end at the parent of `at`.
void gaps::erase(std::uint32_t at) {
  std::uint32_t const rest = merge(nodes_[at].left, nodes_[at].right);
  if (path_.empty()) {
    root_ = rest;
  } else {
    node& parent = nodes_[path_.back()];
    (parent.left == at ? parent.left : parent.right) = rest;
  }
  unused_.push_back(at);
}

void gaps::split(std::uint32_t root, time_value start, std::uint32_t& before, std::uint32_t& rest) {
  if (root == none) {
    before = rest = none;
    return;
  }
  node& gap = nodes_[root];
  if (gap.start < start) {
    before = root;
    split(gap.right, start, gap.right, rest);
  } else {
    rest = root;
    split(gap.left, start, before, gap.left);
  }
  update(root);
}

std::uint32_t gaps::merge(std::uint32_t left, std::uint32_t right) {
  if (left == none) return right;
  if (right == none) return left;
  if (nodes_[left].priority >= nodes_[right].priority) {
    nodes_[left].right = merge(nodes_[left].right, right);
    update(left);
    return left;
  }
  nodes_[right].left = merge(left, nodes_[right].left);
  update(right);
  return right;
}

std::uint32_t gaps::new_node(time_value start, time_value end) {
  // xorshift64*: its high bits are good enough to keep the treap in balance.
  random_ ^= random_ >> 12U;
  random_ ^= random_ << 25U;
  random_ ^= random_ >> 27U;
  auto const priority = static_cast<std::uint32_t>((random_ * 0x2545f4914f6cdd1dU) >> 32U);
  node const made{start, end, end - start, none, none, priority};
  if (unused_.empty()) {
    nodes_.push_back(made);
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }
  std::uint32_t const at = unused_.back();
  unused_.pop_back();
  nodes_[at] = made;
  return at;
}

}  // namespace gridloom::pets
