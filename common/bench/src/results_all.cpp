// All of a results file at once, for appending: the rows of before move into a new file.

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "gridloom/parse.hpp"
#include "results_content.hpp"
#include "results_layout.hpp"

namespace gridloom::hdf5 {
namespace {

[[noreturn]] void refuse(std::string const& place, std::string const& what, purpose why) {
  bool const appends = why == purpose::append;
  throw usage_error(place + ": " + what + (appends ? "; cannot append, use another file" : ""));
}

// What the group holds, all of it in this file and under one name.
std::vector<std::string> names_in(H5::Group const& group, std::string const& place, purpose why) {
  std::vector<std::string> names;
  for (hsize_t i = 0; i < group.getNumObjs(); ++i) {
    std::string const name = group.getObjnameByIdx(i);
    bool const known = std::find(names.begin(), names.end(), name) != names.end();
    if (known || !is_printable(name) || name == "." || name.find('/') != std::string::npos) {
      throw usage_error(place + "/: damaged name " + in_quotes(name));
    }
    H5L_info_t link{};
    if (!has_link(group, name, place) ||
        H5Lget_info(group.getId(), name.c_str(), &link, H5P_DEFAULT) < 0 ||
        link.type != H5L_TYPE_HARD) {
      refuse(inside(place, name), "expected no link", why);
    }
    names.push_back(name);
  }
  return names;
}

void require_attributes(H5::H5Object const& object, std::set<std::string> const& expected,
                        std::string const& place, purpose why) {
  std::set<std::string> seen;
  for (int i = 0; i < object.getNumAttrs(); ++i) {
    std::string const name = object.openAttribute(static_cast<unsigned>(i)).getName();
    if (!expected.contains(name) || !seen.insert(name).second) {
      refuse(place, "has an attribute " + in_quotes(name) + " that results lack", why);
    }
  }
}

void send_process(sender& to, H5::Group const& group, std::string const& place,
                  std::string_view but = {}) {
  run_meta const found = attributes_of(group, place, but);
  std::set<std::string> seen;
  for (auto const& [name, value] : found.attributes) {
    if (!is_printable(name) || !seen.insert(name).second) {
      throw usage_error(place + ": damaged name of an attribute " + in_quotes(name));
    }
  }
  send_meta(to, found);
}

void send_stated_crc32(sender& to, H5::Group const& meta, std::string const& place) {
  std::string const name{content_crc32_name};
  bool const is_there = meta.attrExists(name);
  to.number(is_there ? 1 : 0);
  to.number(is_there ? read_count_attribute(meta, name, place) : 0);
}

void send_processes(sender& to, H5::H5File const& file, std::string const& path, purpose why) {
  H5::Group const meta = open_meta(file, path);
  std::size_t const appended = count_appended(meta, path);
  std::string const place = path + ": /meta";
  // Each has its own name, so no other is there when there are as many.
  if (names_in(meta, place, why).size() != appended) {
    refuse(place, "expected groups appended_1, appended_2 and so on, and nothing else", why);
  }
  send_stated_crc32(to, meta, place);
  to.number(1 + appended);
  send_process(to, meta, place, content_crc32_name);
  for (std::size_t k = 1; k <= appended; ++k) {
    std::string const here = place + "/" + appended_name(k);
    if (meta.childObjType(appended_name(k)) != H5O_TYPE_GROUP)
      refuse(here, "expected a group", why);
    H5::Group const group = meta.openGroup(appended_name(k));
    if (!names_in(group, here, why).empty()) refuse(here, "expected attributes only", why);
    send_process(to, group, here);
  }
}

// All is written with a checksum but texts of variable length, which older files have. A file that says
// that there is none is damaged there: packed bytes would be taken for values.
void require_checksum(stored_table const& stored, std::size_t index) {
  if (H5Tis_variable_str(stored.datasets[index].getDataType().getId()) > 0) return;
  H5::DSetCreatPropList const layout = stored.datasets[index].getCreatePlist();
  unsigned flags = 0;
  unsigned settings = 0;
  std::size_t num_settings = 0;
  if (H5Pget_filter_by_id2(layout.getId(), H5Z_FILTER_FLETCHER32, &flags, &num_settings, &settings,
                           0, nullptr, nullptr) < 0) {
    refuse(inside(stored.place, stored.columns[index].name), "expected values with a checksum",
           purpose::append);
  }
}

void send_whole_table(sender& to, stored_table const& stored, purpose why) {
  require_attributes(stored.group, {"columns"}, stored.place, why);
  for (std::string const& name : names_in(stored.group, stored.place, why)) {
    auto const is_it = [&](column const& one) { return one.name == name; };
    if (std::none_of(stored.columns.begin(), stored.columns.end(), is_it)) {
      refuse(stored.place,
             "has " + in_quotes(name) + ", which its attribute \"columns\" does not name", why);
    }
  }
  for (std::size_t i = 0; i < stored.columns.size(); ++i) {
    if (why == purpose::append) require_checksum(stored, i);
    require_attributes(stored.datasets[i], {"unit", "description"},
                       inside(stored.place, stored.columns[i].name), why);
  }
  send_table(to, stored);
}

}  // namespace

void send_all(sender& to, H5::H5File const& file, std::filesystem::path const& path, purpose why) {
  std::uint64_t const file_bytes = std::filesystem::file_size(path);
  H5::Group const root = file.openGroup("/");
  (void)open_meta(file, path.string());
  require_attributes(root, {}, path.string() + ": /", why);
  send_processes(to, file, path.string(), why);
  std::vector<std::string> names = names_in(root, path.string() + ": ", why);
  std::erase(names, "meta");
  to.texts(names);
  for (std::string const& name : names) {
    send_whole_table(to, open_table(file, path.string(), name, file_bytes), why);
  }
}

stored_results take_all(receiver& from, std::filesystem::path const& path) {
  stored_results all;
  bool const has_checksum = from.number() == 1;
  auto const stated = from.number();
  if (stated > std::numeric_limits<std::uint32_t>::max()) {
    throw usage_error(path.string() + ": /meta: expected a checksum of 32 bits");
  }
  if (has_checksum) all.stated_crc32 = static_cast<std::uint32_t>(stated);
  for (std::uint64_t left = from.number(); left > 0; --left) {
    all.processes.push_back(take_meta(from));
  }
  for (std::string const& name : from.texts()) all.tables.push_back(take_table(from, name));
  require_content(all, path);
  return all;
}

}  // namespace gridloom::hdf5
