// Inflates test data that is gzipped for storage only.
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>
#include <string_view>

namespace gossamer::conformance {

// The content of one or more gzip members. Broken data fails the test.
inline std::string gunzip(std::string_view packed) {
  std::string plain;
  z_stream stream = {};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) {
    ADD_FAILURE() << "zlib does not start";
    return plain;
  }
  std::string piece(64 * 1024, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  int status = Z_OK;
  while (status == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    status = inflate(&stream, Z_NO_FLUSH);
    plain.append(piece, 0, piece.size() - stream.avail_out);
    if (status == Z_STREAM_END && stream.avail_in > 0) status = inflateReset(&stream);
  }
  inflateEnd(&stream);
  EXPECT_EQ(status, Z_STREAM_END) << "broken gzip data";
  return plain;
}

}  // namespace gossamer::conformance
