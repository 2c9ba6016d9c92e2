#include "configurations.hpp"

#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"
#include "inputs/distinct.hpp"
#include "tiled_qr/shown.hpp"

namespace gridloom::tiled_qr {

namespace {

/// The list where it matters, else its first.
template <class Value>
std::vector<Value> if_it_matters(bool matters, std::vector<Value> const& all) {
  return matters ? all : std::vector<Value>{all.front()};
}

std::string name_of(double weight) {
  return weight == measured_weight ? "measured" : shown(weight);
}

}  // namespace

std::vector<configuration> configurations_of(request const& wanted, double timeout_s,
                                             std::string_view method, scheduling how,
                                             launch_shape shape) {
  std::vector<std::int64_t> blocks{shape.blocks};
  if (how == scheduling::serial) {
    blocks = {1};
  } else if (!wanted.blocks.empty()) {
    blocks = wanted.blocks;
  }
  std::vector<configuration> all;
  for (std::int64_t const count : blocks) {
    auto const orders = if_it_matters(has_priority(how), wanted.priorities);
    for (std::string const& name : orders) {
      priority const order =
          name == priority_names[0] ? priority::factorisations_first : priority::fifo;
      auto const weights = if_it_matters(has_weight(how, order), wanted.weights);
      for (double const weight : weights) {
        std::string arm(method);
        if (blocks.size() > 1) arm += " by " + std::to_string(count);
        if (orders.size() > 1) arm += " " + name;
        if (weights.size() > 1) arm += " weight " + name_of(weight);
        factorization_settings settings;
        settings.how = how;
        settings.order = order;
        // Where it makes no difference it is not measured.
        settings.double_weight = has_weight(how, order) ? weight : 1;
        settings.queue_slots = static_cast<std::uint32_t>(wanted.queue_slots);
        settings.blocks = static_cast<int>(count);
        settings.threads = shape.threads;
        settings.timeout_s = timeout_s;
        all.push_back({std::move(arm), settings});
      }
    }
  }
  return all;
}

std::vector<double> parse_weights(std::string const& text) {
  std::vector<double> weights;
  for (std::size_t begin = 0; begin <= text.size();) {
    std::size_t const end = std::min(text.find(',', begin), text.size());
    std::string const word = text.substr(begin, end - begin);
    try {
      weights.push_back(word == "measured" ? measured_weight
                                           : parse_real("--weight", word, 1, 100));
    } catch (usage_error const&) {
      throw usage_error("--weight: expected numbers from 1 to 100 or measured, got " +
                        in_quotes(word));
    }
    begin = end + 1;
  }
  require_distinct("--weight", weights, name_of);
  return weights;
}

}  // namespace gridloom::tiled_qr
