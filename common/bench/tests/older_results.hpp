#pragma once
// Results of schema 1, which have no checksum of their contents: such files can be changed by hand.

#include <H5Cpp.h>

#include "gridloom/files/hdf5_io.hpp"

namespace gridloom::test {

inline void make_older(H5::H5File& file) {
  H5::Group meta = file.openGroup("meta");
  meta.removeAttr("content_crc32");
  meta.removeAttr("schema_version");
  hdf5::write_attribute(meta, "schema_version", std::string{"1"});
}

}  // namespace gridloom::test
