#include "juggler/array_section.hpp"

#include <iterator>
#include <utility>

#include "gridloom/error.hpp"

namespace gridloom::juggler {

namespace {

std::uintptr_t address_of(array_section const& section) {
  return reinterpret_cast<std::uintptr_t>(section.array);
}

}  // namespace

std::string objection_to(array_section const& section) {
  if (section.length < 1 || section.element_bytes == 0) {
    return "expected a length of at least 1, got " + std::to_string(section.length);
  }
  byte_range range{};
  if (find_bytes(section, range)) return {};
  return "no memory has " + std::to_string(section.length) + " elements from element " +
         std::to_string(section.begin) + " on";
}

byte_range bytes_of(array_section const& section) {
  byte_range range{};
  (void)find_bytes(section, range);
  return range;
}

declared_arrays::arrays::const_iterator declared_arrays::ends_behind(std::uintptr_t address) const {
  auto const next = arrays_.upper_bound(address);
  if (next == arrays_.begin()) return next;
  auto const before = std::prev(next);
  return before->second.last > address ? before : next;
}

bool declared_arrays::declare(array_section const& whole, std::string name) {
  std::string const place = "task graph: array " + name + ": ";
  if (std::string const why = juggler::objection_to(whole); !why.empty())
    throw usage_error(place + why);
  byte_range const bytes = bytes_of(whole);
  auto const next = ends_behind(bytes.first);
  if (next != arrays_.end() && next->first < bytes.last) {
    if (next->first == bytes.first && next->second.last == bytes.last) return false;
    throw usage_error(place + "the array overlaps array " + next->second.name +
                      ", which has another extent");
  }
  arrays_.emplace_hint(next, bytes.first, extent{bytes.last, std::move(name)});
  remember(bytes);
  return true;
}

void declared_arrays::remember(byte_range array) const {
  recent_[oldest_] = array;
  oldest_ = (oldest_ + 1) % recent_.size();
}

std::string declared_arrays::objection_to(array_section const& section) const {
  if (arrays_.empty()) return {};
  byte_range const bytes = bytes_of(section);
  auto own = ends_behind(address_of(section));
  if (own == arrays_.end() || own->first > address_of(section)) {
    own = ends_behind(bytes.first);
    if (own == arrays_.end() || own->first >= bytes.last) return {};
  }
  if (bytes.first >= own->first && bytes.last <= own->second.last) {
    remember({own->first, own->second.last});
    return {};
  }
  // Negative if the pointer is below the start of the array.
  auto const at = static_cast<std::int64_t>(address_of(section) - own->first);
  return "elements [" + std::to_string(section.begin) + ", " +
         std::to_string(section.begin + section.length) + ") of " +
         std::to_string(section.element_bytes) + " bytes, counted from byte " + std::to_string(at) +
         ", leave array " + own->second.name + " of " +
         std::to_string(own->second.last - own->first) + " bytes";
}

}  // namespace gridloom::juggler
