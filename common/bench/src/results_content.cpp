#include "results_content.hpp"

#include <algorithm>
#include <bit>
#include <boost/crc.hpp>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gridloom/files/utf8.hpp"

namespace gridloom::hdf5 {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers go into the stream as they are");

// As it is stored: UTF-8 up to the first NUL.
std::string as_stored(std::string const& text) {
  std::string const valid = as_utf8(text);
  return valid.substr(0, valid.find('\0'));
}

class content_stream {
 public:
  void count(std::uint64_t number) { crc_.process_bytes(&number, sizeof number); }  // C5

  void bytes(std::string_view some) { crc_.process_bytes(some.data(), some.size()); }

  void text(std::string_view some) {
    count(some.size());
    bytes(some);
  }

  void begin(std::string const& path) { text(path); }  // C2

  // C3: attributes are texts without dimensions.
  void attributes(std::map<std::string, std::string> const& all) {
    count(all.size());
    for (auto const& [name, value] : all) {
      text(name);
      bytes("t");
      count(0);
      text(as_stored(value));
    }
  }

  void values(std::vector<std::string> const& texts) {
    bytes("t");
    extent(texts.size());
    std::string all;
    for (std::string const& one : texts) {
      std::string const stored = as_stored(one);
      count(stored.size());
      all += stored;
    }
    bytes(all);
  }

  template <typename Number>
  void values(std::vector<Number> const& numbers) {
    static_assert(sizeof(Number) == 8);
    bytes(std::is_integral_v<Number> ? "i\x08" : "f\x08");
    extent(numbers.size());
    crc_.process_bytes(numbers.data(), numbers.size() * sizeof(Number));
  }

  [[nodiscard]] std::uint32_t checksum() const { return crc_.checksum(); }

 private:
  void extent(std::size_t length) {
    count(1);
    count(length);
  }

  boost::crc_32_type crc_;
};

std::map<std::string, std::string> attributes_of(run_meta const& meta) {
  std::map<std::string, std::string> all;
  for (auto const& [name, value] : meta.attributes) all[name] = value;
  return all;
}

struct part {
  std::map<std::string, std::string> attributes;
  result_table::values const* values = nullptr;  // none of a group
};

using parts_by_path = std::map<std::string, part>;  // C1

void add_table(parts_by_path& parts, result_table const& table) {
  std::string const path = "/" + table.name();
  std::string names;
  for (std::size_t i = 0; i < table.columns().size(); ++i) {
    column const& one = table.columns()[i];
    names += (i == 0 ? "" : "\n") + one.name;
    parts[path + "/" + one.name] = {{{"unit", one.unit}, {"description", one.description}},
                                    &table.values_at(i)};
  }
  parts[path] = {{{"columns", names}}};
}

}  // namespace

std::uint32_t content_crc32_of(stored_results const& all) {
  parts_by_path parts{{"/", {}}};
  for (std::size_t k = 0; k < all.processes.size(); ++k) {
    std::string const path = k == 0 ? "/meta" : "/meta/" + appended_name(k);
    parts[path] = {attributes_of(all.processes[k])};
  }
  for (result_table const& table : all.tables) add_table(parts, table);
  content_stream stream;
  for (auto const& [path, one] : parts) {
    stream.begin(path);
    if (one.values == nullptr) {
      stream.bytes("g");
    } else {
      std::visit([&](auto const& values) { stream.values(values); }, *one.values);
    }
    stream.attributes(one.attributes);
  }
  return stream.checksum();
}

void require_content(stored_results const& all, std::filesystem::path const& path) {
  std::string const damaged = path.string() + ": damaged, ";
  if (!all.stated_crc32) {
    if (all.processes.front().get("schema_version").value_or("1") == "1") return;
    throw usage_error(damaged + "lacks the checksum of its contents (content_crc32 of /meta)");
  }
  if (*all.stated_crc32 != content_crc32_of(all)) {
    throw usage_error(damaged + "holds other contents than were written (content_crc32 of /meta)");
  }
}

}  // namespace gridloom::hdf5
