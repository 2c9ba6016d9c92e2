#pragma once
// Reads results files back. Each function throws usage_error.

#include <filesystem>
#include <string>

#include "gridloom/error.hpp"
#include "results_layout.hpp"

namespace gridloom::test {

/// One table with all its columns, including "process".
inline result_table read_table(std::filesystem::path const& path, std::string const& name) {
  return hdf5::read_file(path, [&](H5::H5File const& file) {
    (void)hdf5::open_meta(file, path);
    return hdf5::table_of(file, path, name);
  });
}

/// Number of processes that wrote the file.
inline std::size_t count_processes(std::filesystem::path const& path) {
  return hdf5::read_file(path, [&](H5::H5File const& file) {
    return hdf5::processes_of(hdf5::open_meta(file, path), path);
  });
}

/// The attributes of one process of the file; 0 is the first.
inline run_meta read_meta(std::filesystem::path const& path, std::size_t process = 0) {
  return hdf5::read_file(path, [&](H5::H5File const& file) {
    H5::Group group = hdf5::open_meta(file, path);
    std::string place = path.string() + ": /meta";
    if (process > 0) {
      group = group.openGroup(hdf5::appended_name(process));
      place += "/" + hdf5::appended_name(process);
    }
    run_meta meta;
    for (int i = 0; i < group.getNumAttrs(); ++i) {
      std::string const name = group.openAttribute(static_cast<unsigned>(i)).getName();
      meta.set(name, hdf5::read_text_attribute(group, name, place));
    }
    return meta;
  });
}

}  // namespace gridloom::test
