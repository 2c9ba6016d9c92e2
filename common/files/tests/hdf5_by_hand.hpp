#pragma once
// Makes and damages files of graphs and matrices as another writer would.

#include <H5Cpp.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gridloom/error.hpp"
#include "test_support.hpp"

namespace gridloom::test {

/// A new file with one group that has the attribute kind.
struct hdf5_by_hand {
  H5::H5File file;
  H5::Group group;

  hdf5_by_hand(std::filesystem::path const& path, std::string const& name, std::string const& kind)
      : file(path.string(), H5F_ACC_TRUNC), group(file.createGroup(name)) {
    H5::StrType const text{H5::PredType::C_S1, kind.size()};
    group.createAttribute("kind", text, H5::DataSpace{}).write(text, kind);
  }
  void number(char const* name, std::int64_t value) {
    group.createAttribute(name, H5::PredType::STD_I64LE, H5::DataSpace{})
        .write(H5::PredType::NATIVE_INT64, &value);
  }
  /// Writes a dataset. `type` is the type in the file, `memory` the type of the numbers in memory.
  template <typename Number>
  void array(char const* name, H5::PredType const& type, std::vector<Number> const& numbers,
             H5::PredType const& memory, bool compressed = false, int dimensions = 1) {
    hsize_t const extent[2] = {numbers.size(), 1};
    H5::DSetCreatPropList layout;
    if (compressed) {
      layout.setChunk(1, extent);
      layout.setDeflate(6);
    }
    group.createDataSet(name, type, H5::DataSpace{dimensions, extent}, layout)
        .write(numbers.data(), memory);
  }
};

/// Calls `how(group)` with this group of the file, opened for writing.
template <typename Change>
void change(std::filesystem::path const& path, std::string const& name, Change const& how) {
  H5::H5File const file{path.string(), H5F_ACC_RDWR};
  H5::Group group = file.openGroup(name);
  how(group);
}

/// Adds an external link to the group.
inline void link_other_file(H5::Group const& group, std::string const& name,
                            std::string const& object) {
  BOOST_REQUIRE(H5Lcreate_external("other.h5", object.c_str(), group.getId(), name.c_str(),
                                   H5P_DEFAULT, H5P_DEFAULT) >= 0);
}

/// The message of `read(path)` without the file name.
template <typename Read>
std::string refused_by(Read const& read, std::filesystem::path const& path) {
  std::string const rest = refusal_of(path, read);
  return rest.substr(std::min<std::size_t>(rest.size(), 2));
}

/// Spoils one part of a file at a time, and checks that the message begins as it should.
template <typename Raw, typename Read>
void check_wrong_parts(
    Read const& read, std::vector<std::pair<std::string, std::function<void(Raw&)>>> const& cases) {
  scratch_folder const folder;
  for (auto const& [message, spoil] : cases) {
    Raw raw;
    spoil(raw);
    raw.write(folder / "x.h5");
    BOOST_TEST(refused_by(read, folder / "x.h5").starts_with(message), message);
  }
}

}  // namespace gridloom::test
