// All of a results file at once, for appending: the rows of before move into a new file.

#include <algorithm>
#include <set>
#include <utility>

#include "gridloom/parse.hpp"
#include "results_layout.hpp"

namespace gridloom::hdf5 {
namespace {

[[noreturn]] void refuse(std::string const& place, std::string const& what) {
  throw usage_error(place + ": " + what + "; cannot append, use another file");
}

// What the group holds, all of it in this file and under one name.
std::vector<std::string> names_in(H5::Group const& group, std::string const& place) {
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
      refuse(place + "/" + name, "expected no link");
    }
    names.push_back(name);
  }
  return names;
}

void require_attributes(H5::H5Object const& object, std::set<std::string> const& expected,
                        std::string const& place) {
  std::set<std::string> seen;
  for (int i = 0; i < object.getNumAttrs(); ++i) {
    std::string const name = object.openAttribute(static_cast<unsigned>(i)).getName();
    if (!expected.contains(name) || !seen.insert(name).second) {
      refuse(place, "has an attribute " + in_quotes(name) + " that results lack");
    }
  }
}

void send_process(sender& to, H5::Group const& group, std::string const& place) {
  run_meta const found = attributes_of(group, place);
  std::set<std::string> seen;
  for (auto const& [name, value] : found.attributes) {
    if (!is_printable(name) || !seen.insert(name).second) {
      throw usage_error(place + ": damaged name of an attribute " + in_quotes(name));
    }
  }
  send_meta(to, found);
}

void send_processes(sender& to, H5::H5File const& file, std::string const& path) {
  H5::Group const meta = open_meta(file, path);
  std::size_t const appended = count_appended(meta, path);
  std::string const place = path + ": /meta";
  // Each has its own name, so no other is there when there are as many.
  if (names_in(meta, place).size() != appended) {
    refuse(place, "expected groups appended_1, appended_2 and so on, and nothing else");
  }
  to.number(1 + appended);
  send_process(to, meta, place);
  for (std::size_t k = 1; k <= appended; ++k) {
    std::string const here = place + "/" + appended_name(k);
    if (meta.childObjType(appended_name(k)) != H5O_TYPE_GROUP) refuse(here, "expected a group");
    H5::Group const group = meta.openGroup(appended_name(k));
    if (!names_in(group, here).empty()) refuse(here, "expected attributes only");
    send_process(to, group, here);
  }
}

// Numbers are written with a checksum. A file that says that there is none is damaged there: packed
// bytes would be taken for numbers.
void require_checksum(stored_table const& stored, std::size_t index) {
  if (stored.columns[index].type == column_type::text) return;
  H5::DSetCreatPropList const layout = stored.datasets[index].getCreatePlist();
  unsigned flags = 0;
  unsigned settings = 0;
  std::size_t num_settings = 0;
  if (H5Pget_filter_by_id2(layout.getId(), H5Z_FILTER_FLETCHER32, &flags, &num_settings, &settings,
                           0, nullptr, nullptr) < 0) {
    refuse(stored.place + "/" + stored.columns[index].name, "expected numbers with a checksum");
  }
}

void send_whole_table(sender& to, stored_table const& stored) {
  require_attributes(stored.group, {"columns"}, stored.place);
  for (std::string const& name : names_in(stored.group, stored.place)) {
    auto const is_it = [&](column const& one) { return one.name == name; };
    if (std::none_of(stored.columns.begin(), stored.columns.end(), is_it)) {
      refuse(stored.place,
             "has " + in_quotes(name) + ", which its attribute \"columns\" does not name");
    }
  }
  for (std::size_t i = 0; i < stored.columns.size(); ++i) {
    require_checksum(stored, i);
    require_attributes(stored.datasets[i], {"unit", "description"},
                       stored.place + "/" + stored.columns[i].name);
  }
  send_table(to, stored);
}

}  // namespace

void send_all(sender& to, H5::H5File const& file, std::filesystem::path const& path) {
  std::uint64_t const file_bytes = std::filesystem::file_size(path);
  H5::Group const root = file.openGroup("/");
  require_attributes(root, {}, path.string() + ": /");
  send_processes(to, file, path.string());
  std::vector<std::string> names = names_in(root, path.string() + ": ");
  std::erase(names, "meta");
  to.texts(names);
  for (std::string const& name : names) {
    send_whole_table(to, open_table(file, path.string(), name, file_bytes));
  }
}

stored_results take_all(receiver& from) {
  stored_results all;
  for (std::uint64_t left = from.number(); left > 0; --left) {
    all.processes.push_back(take_meta(from));
  }
  for (std::string const& name : from.texts()) all.tables.push_back(take_table(from, name));
  return all;
}

}  // namespace gridloom::hdf5
