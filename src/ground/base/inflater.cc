#include "base/inflater.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "base/check.h"

namespace gossamer::base {
namespace {

int window_bits_of(Inflater::Format format) {
  switch (format) {
    case Inflater::Format::gzip: return MAX_WBITS + 16;
    case Inflater::Format::zlib: return MAX_WBITS;
    case Inflater::Format::raw: break;
  }
  return -MAX_WBITS;
}

uInt zlib_size(std::size_t size) {
  return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}

}  // namespace

struct Inflater::Stream {
  z_stream zlib = {};
};

Inflater::Inflater(Format format) : stream_(std::make_unique<Stream>()) {
  if (inflateInit2(&stream_->zlib, window_bits_of(format)) != Z_OK) throw std::bad_alloc();
}

Inflater::~Inflater() { inflateEnd(&stream_->zlib); }

CodecStep Inflater::run(Bytes input, MutableBytes out) {
  z_stream& zlib = stream_->zlib;
  const uInt in_size = zlib_size(input.size());
  const uInt out_size = zlib_size(out.size());
  zlib.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(input.data()));
  zlib.avail_in = in_size;
  zlib.next_out = reinterpret_cast<Bytef*>(out.data());
  zlib.avail_out = out_size;
  const int result = inflate(&zlib, Z_NO_FLUSH);
  if (result == Z_MEM_ERROR) throw std::bad_alloc();
  const auto status = result == Z_STREAM_END                    ? CodecStatus::ended
                      : result == Z_OK || result == Z_BUF_ERROR ? CodecStatus::more
                                                                : CodecStatus::damaged;
  return {in_size - zlib.avail_in, out_size - zlib.avail_out, status};
}

void Inflater::begin_again() { CHECK_EQ(inflateReset(&stream_->zlib), Z_OK); }

}  // namespace gossamer::base
