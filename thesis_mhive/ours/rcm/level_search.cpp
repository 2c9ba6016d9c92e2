#include "level_search.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "components.hpp"
#include "for_each.hpp"
#include "gridloom/parse.hpp"
#include "narrow_search.hpp"
#include "wide_search.hpp"

namespace gridloom::mhive::rcm::levels {

namespace {

// Returns the number of words of a record. They are enough for the degree and a row of mean length,
// but at most as many as a warp has threads.
int words_for(graph_ref graph) {
  if (graph.num_rows == 0)
    throw std::invalid_argument("level_search: expected at least one vertex");
  std::uint64_t const mean = graph.num_entries() / graph.num_rows;
  return mean < 6 ? 8 : mean < 14 ? 16 : 32;
}

int checked(std::uint32_t most_candidates) {
  if (most_candidates == 0 || most_candidates >= std::uint32_t{most_searches}) {
    throw std::invalid_argument("level_search: expected 1 to " + std::to_string(most_searches - 1) +
                                " candidates, got " + std::to_string(most_candidates));
  }
  return static_cast<int>(most_candidates);
}

}  // namespace

level_search::level_search(device& machine, graph_ref graph, std::uint32_t most_candidates,
                           int workers, double timeout_s, search_tuning const& tuning)
    : machine_{&machine},
      graph_{graph},
      words_{words_for(graph)},
      workers_{workers == 0 && machine.is_host() ? machine.properties().multiprocessors : workers},
      timeout_s_{timeout_s},
      tuning_{tuning},
      most_candidates_{checked(most_candidates)},
      records_{machine.allocate<std::uint32_t>(std::size_t{graph.num_rows} * words_)},
      shared_{machine.allocate<shared_words>(1)},
      read_{machine.allocate_staging<shared_words>(1)},
      sources_{machine.allocate<std::uint32_t>(1)},
      algorithms_{machine, graph.num_rows} {
  std::size_t const n = graph.num_rows;
  machine.fill_bytes(shared_, 0);
  for (int s = 0; s <= most_candidates_; ++s) {
    search_memory own{machine.allocate<std::uint32_t>(n), machine.allocate<std::uint32_t>(n),
                      machine.allocate<std::uint32_t>(n + 1),
                      machine.allocate<std::uint32_t>(
                          graph.num_rows <= most_bits ? 1 : words_of_bits(graph.num_rows))};
    refs_.push_back({own.queue.data(), own.place.data(), own.level_begin.data(), own.bits.data(),
                     shared_.data()->searches + s});
    sets_.push_back(std::move(own));
  }
  states_ = machine.allocate<component_state>(1);
  candidates_ = machine.allocate<std::uint64_t>(static_cast<std::size_t>(most_candidates_));
  last_places_ = machine.allocate<std::uint32_t>(static_cast<std::size_t>(most_candidates_));
}

void level_search::prepare(graph_ref graph) {
  graph_ = graph;
  with_words(words_, [&]<int Words>(std::integral_constant<int, Words>) {
    machine_->launch(shape_for(*machine_, std::uint64_t{graph.num_rows} * Words, workers_),
                     fill_records_kernel<Words>{graph, records_.data()});
  });
}

void level_search::begin_at(int set, std::span<std::uint32_t const> sources) {
  auto const n = static_cast<std::uint32_t>(sources.size());
  if (sources_.size() < n) sources_ = machine_->allocate<std::uint32_t>(n);
  machine_->copy_to_device(sources_, sources);
  levels::for_each(*machine_, n, workers_,
                   enqueue_sources{sources_.data(), n, refs_[static_cast<std::size_t>(set)]});
}

void level_search::launch_narrow(sets_of_round const& sets) {
  with_words(words_, [&]<int Words>(std::integral_constant<int, Words>) {
    narrow_search_kernel<Words> kernel{rows(), tuning_.limits, {}};
    // On the host a block is a thread, and there may be no more than the user asked for.
    std::size_t const at_once =
        machine_->is_host() ? static_cast<std::size_t>(workers_) : most_searches;
    for (std::size_t begin = 0; begin < sets.size(); begin += at_once) {
      std::size_t const n = std::min(at_once, sets.size() - begin);
      for (std::size_t s = 0; s < n; ++s) {
        kernel.searches[s] = refs_[static_cast<std::size_t>(sets[begin + s])];
      }
      machine_->launch({static_cast<int>(n), tuning_.narrow_threads}, kernel);
    }
  });
}

void level_search::launch_wide(int set) {
  with_words(words_, [&]<int Words>(std::integral_constant<int, Words>) {
    using kernel = wide_search_kernel<Words>;
    machine_->fill_bytes(sets_[static_cast<std::size_t>(set)].place, 0xff);
    int const blocks =
        workers_ > 0 ? workers_ : machine_->template resident_blocks<kernel>(tuning_.wide_threads);
    machine_->launch({blocks, tuning_.wide_threads},
                     kernel{rows(), tuning_.limits, refs_[static_cast<std::size_t>(set)]});
  });
}

void level_search::launch_judge(sets_of_round const& sets, bool is_first) {
  with_words(words_, [&]<int Words>(std::integral_constant<int, Words>) {
    judge_kernel<Words> kernel{};
    kernel.rows = rows();
    kernel.components = components();
    for (std::size_t s = 0; s < sets.size(); ++s) {
      kernel.searches[s] = refs_[static_cast<std::size_t>(sets[s])];
    }
    kernel.num_searches = static_cast<std::int32_t>(sets.size());
    kernel.most_candidates = most_candidates_;
    kernel.is_first = is_first;
    kernel.result = &shared_.data()->round;
    constexpr int threads = 256;
    launch_shape shape{1, threads};
    if (num_components_ > 1) {
      shape = shape_for(*machine_, graph_.num_rows, workers_);
      shape.blocks =
          std::min(shape.blocks, machine_->template resident_blocks<judge_kernel<Words>>(threads));
    }
    machine_->launch(shape, kernel);
  });
}

void level_search::read_words() { machine_->copy_to_staging(read_, shared_); }

void level_search::check_time() const {
  std::chrono::duration<double> const passed = std::chrono::steady_clock::now() - begun_;
  if (passed.count() < timeout_s_) return;
  throw timeout_error(timeout_text(timeout_s_) + " in the breadth-first search, at level " +
                      std::to_string(read_.data()->searches[0].num_levels));
}

bool level_search::finish(sets_of_round const& sets) {
  for (bool was_first = true;; was_first = false) {
    read_words();
    bool is_done = true;
    for (int const set : sets) {
      search_words const& words = read_.data()->searches[set];
      if (words.begin == words.end) continue;
      is_done = false;
      if (words.end - words.begin > std::min(tuning_.limits.wide, most_narrow)) launch_wide(set);
    }
    if (is_done) return was_first;
    check_time();
    launch_narrow(sets);
  }
}

void level_search::search_round(sets_of_round const& sets, bool is_first) {
  launch_narrow(sets);
  // Usually the searches are done by now. Otherwise this launch has no effect.
  launch_judge(sets, is_first);
  if (finish(sets)) return;
  launch_judge(sets, is_first);
  read_words();
}

components_ref level_search::components() const {
  return {num_components_ > 1 ? component_of_.data() : nullptr, num_components_, states_.data(),
          candidates_.data(), last_places_.data()};
}

void level_search::set_states(std::vector<component_state> const& states) {
  if (states_.size() < states.size()) {
    states_ = machine_->allocate<component_state>(states.size());
    std::size_t const tried = states.size() * static_cast<std::size_t>(most_candidates_);
    candidates_ = machine_->allocate<std::uint64_t>(tried);
    last_places_ = machine_->allocate<std::uint32_t>(tried);
  }
  machine_->fill_bytes(last_places_, 0);
  machine_->copy_to_device(states_, std::span{states});
}

void level_search::label_components() {
  std::uint32_t const n = graph_.num_rows;
  if (component_of_.size() == 0) {
    for (auto* words : {&component_of_, &first_of_, &parents_, &numbers_}) {
      *words = machine_->allocate<std::uint32_t>(n);
    }
  }
  levels::for_each(*machine_, n, workers_, set_apart{parents_.data()});
  machine_->launch(shape_for(*machine_, std::uint64_t{n} * 8, workers_),
                   join_kernel{graph_, parents_.data()});
  levels::for_each(*machine_, n, workers_, flag_roots{parents_.data(), component_of_.data()});
  algorithms_.exclusive_sum(component_of_.data(), numbers_.data(), n);
  // The number of components is the last flag plus the sum of all flags before it.
  std::uint32_t const last = machine_->copy_to_host(std::as_const(component_of_).data() + n - 1);
  num_components_ = machine_->copy_to_host(std::as_const(numbers_).data() + n - 1) + last;
  levels::for_each(
      *machine_, n, workers_,
      number_components{parents_.data(), numbers_.data(), component_of_.data(), first_of_.data()});
}

std::vector<start_node> level_search::find_starts(start_options const& options) {
  bool const is_given = options.strategy == start_strategy::given;
  if (is_given && options.node >= graph_.num_rows) {
    throw usage_error("start node: expected one below " + std::to_string(graph_.num_rows) +
                      ", got " + std::to_string(options.node));
  }
  begun_ = std::chrono::steady_clock::now();
  found_ = -1;
  num_components_ = 1;
  std::uint32_t const first = is_given ? options.node : 0;
  set_states({component_state{.node = first, .is_active = 1}});
  begin_at(0, std::span{&first, 1});
  search_round({0}, true);
  search_words const words = read_.data()->searches[0];
  bool const is_one = words.end == graph_.num_rows;
  if (is_one && is_given) {
    found_ = 0;
    return {{first, words.num_levels - 1, first, 1}};
  }
  // Saves the state of the first component while the others are searched.
  component_state const first_state = machine_->copy_to_host(std::as_const(states_).data());
  std::vector<std::uint64_t> tried(static_cast<std::size_t>(most_candidates_));
  machine_->copy_to_host(std::span{tried}, std::as_const(candidates_).data());
  if (!is_one) label_components();
  if (options.strategy == start_strategy::minimum_degree) return least_degrees();
  bool is_active = true;
  if (!is_one) {
    begin_components(options);
    search_round({0}, true);
    is_active = read_.data()->round.num_active != 0;
    if (!is_given) {
      machine_->copy_to_device(states_, std::span{&first_state, 1});
      machine_->copy_to_device(candidates_, std::span<std::uint64_t const>{tried});
      is_active = true;
    }
  }
  if (is_active) search_on();
  return starts();
}

// Judges the last round, and runs further rounds until no start is better.
void level_search::search_on() {
  sets_of_round sets{0};
  do {
    bool const is_one = num_components_ == 1;
    if (is_one) found_ = sets[static_cast<std::size_t>(read_.data()->round.winner)];
    sets.clear();
    for (int s = 0; static_cast<int>(sets.size()) < most_candidates_; ++s) {
      if (s != found_) sets.push_back(s);
    }
    enqueue_candidates next{components(), {}, most_candidates_};
    for (std::size_t s = 0; s < sets.size(); ++s) {
      next.searches[s] = refs_[static_cast<std::size_t>(sets[s])];
    }
    if (!is_one)
      levels::for_each(*machine_, static_cast<std::uint32_t>(sets.size()), workers_,
                       reset_searches{next});
    levels::for_each(*machine_, num_components_, workers_, next);
    check_time();
    search_round(sets, false);
  } while (read_.data()->round.num_active != 0);
}

std::vector<start_node> level_search::starts() const {
  std::vector<component_state> states(num_components_);
  machine_->copy_to_host(std::span{states}, std::as_const(states_).data());
  std::vector<start_node> result;
  result.reserve(states.size());
  for (component_state const& state : states) {
    result.push_back({state.node, state.eccentricity, state.end, state.num_searches});
  }
  return result;
}

void level_search::begin_components(start_options const& options) {
  std::vector<std::uint32_t> firsts(num_components_);
  machine_->copy_to_host(std::span{firsts}, std::as_const(first_of_).data());
  std::vector<component_state> states(num_components_);
  for (std::uint32_t c = 0; c < num_components_; ++c) {
    states[c].node = states[c].end = firsts[c];
    states[c].is_active = 1;
  }
  if (options.strategy == start_strategy::given) {
    auto& own = states[machine_->copy_to_host(std::as_const(component_of_).data() + options.node)];
    own = {.node = options.node, .end = options.node, .num_searches = 1};
  } else {
    // Component 0 has been searched.
    states[0].is_active = 0;
  }
  set_states(states);
  reset_searches const reset{components(), {refs_[0]}, 1};
  levels::for_each(*machine_, 1, workers_, reset);
  with_words(words_, [&]<int Words>(std::integral_constant<int, Words>) {
    levels::for_each(*machine_, num_components_, workers_,
                     enqueue_firsts<Words>{rows(), components(), refs_[0]});
  });
}

std::vector<start_node> level_search::least_degrees() {
  set_states(std::vector<component_state>(num_components_));
  machine_->fill_bytes(candidates_, 0xff);
  with_words(words_, [&]<int Words>(std::integral_constant<int, Words>) {
    levels::for_each(*machine_, graph_.num_rows, workers_,
                     find_least_degree<Words>{rows(), components()});
  });
  std::vector<std::uint64_t> least(num_components_);
  machine_->copy_to_host(std::span{least}, std::as_const(candidates_).data());
  std::vector<start_node> result;
  result.reserve(least.size());
  for (std::uint64_t const key : least) {
    auto const node = static_cast<std::uint32_t>(key);
    result.push_back({node, 0, node, 1});
  }
  return result;
}

search_ref level_search::search_from(std::span<std::uint32_t const> starts) {
  begun_ = std::chrono::steady_clock::now();
  found_ = -1;
  begin_at(0, starts);
  launch_narrow({0});
  finish({0});
  if (words_of(refs_[0]).end != graph_.num_rows) {
    throw run_error("internal error: the search met " + std::to_string(words_of(refs_[0]).end) +
                    " of " + std::to_string(graph_.num_rows) + " vertices");
  }
  return refs_[0];
}

std::size_t level_search::bytes() const {
  std::size_t sum = records_.bytes() + shared_.bytes() + sources_.bytes() + states_.bytes() +
                    candidates_.bytes() + last_places_.bytes() + component_of_.bytes() +
                    first_of_.bytes() + parents_.bytes() + numbers_.bytes() + algorithms_.bytes();
  for (search_memory const& own : sets_) {
    sum += own.queue.bytes() + own.place.bytes() + own.level_begin.bytes() + own.bits.bytes();
  }
  return sum;
}

}  // namespace gridloom::mhive::rcm::levels
