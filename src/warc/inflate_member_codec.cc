#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "base/check.h"
#include "warc/member_codec.h"

namespace gossamer::warc {
namespace {

uInt zlib_size(std::size_t size) {
  return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}

class InflateMemberCodec final : public MemberCodec {
 public:
  explicit InflateMemberCodec(int window_bits) {
    if (inflateInit2(&stream_, window_bits) != Z_OK) throw std::bad_alloc();
  }
  ~InflateMemberCodec() override { inflateEnd(&stream_); }

  Step run(Bytes input, MutableBytes out) override {
    const uInt in_size = zlib_size(input.size());
    const uInt out_size = zlib_size(out.size());
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(input.data()));
    stream_.avail_in = in_size;
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = out_size;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    const Status status = result == Z_STREAM_END                    ? Status::ended
                          : result == Z_OK || result == Z_BUF_ERROR ? Status::more
                                                                    : Status::damaged;
    return {in_size - stream_.avail_in, out_size - stream_.avail_out, status};
  }

  void begin_again() override { CHECK_EQ(inflateReset(&stream_), Z_OK); }

 private:
  z_stream stream_ = {};
};

}  // namespace

std::unique_ptr<MemberCodec> make_gzip_member_codec() {
  return std::make_unique<InflateMemberCodec>(MAX_WBITS + 16);
}

std::unique_ptr<MemberCodec> make_deflate_member_codec() {
  return std::make_unique<InflateMemberCodec>(-MAX_WBITS);
}

}  // namespace gossamer::warc
