#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "base/check.h"
#include "wire/codec.h"
#include "wire/zlib_header.h"

namespace gossamer::wire {
namespace {

constexpr int kGzipWindowBits = MAX_WBITS + 16;
constexpr int kZlibWindowBits = MAX_WBITS;
constexpr int kRawWindowBits = -MAX_WBITS;

uInt zlib_size(std::size_t size) {
  return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}

class Inflater {
 public:
  Inflater() = default;
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() {
    if (is_open_) inflateEnd(&stream_);
  }

  bool is_open() const { return is_open_; }

  void open(int window_bits) {
    CHECK(!is_open_);
    if (inflateInit2(&stream_, window_bits) != Z_OK) throw std::bad_alloc();
    is_open_ = true;
  }

  void begin_again() { CHECK_EQ(inflateReset(&stream_), Z_OK); }

  Codec::Step run(Bytes input, MutableBytes out) {
    const uInt in_size = zlib_size(input.size());
    const uInt out_size = zlib_size(out.size());
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(input.data()));
    stream_.avail_in = in_size;
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = out_size;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    const auto status = result == Z_STREAM_END                    ? Codec::Status::ended
                        : result == Z_OK || result == Z_BUF_ERROR ? Codec::Status::more
                                                                  : Codec::Status::damaged;
    return {in_size - stream_.avail_in, out_size - stream_.avail_out, status};
  }

 private:
  z_stream stream_ = {};
  bool is_open_ = false;
};

// RFC 1952: one or more members. What follows the last and is no member is ignored, as browsers
// and curl do.
class GzipCodec final : public Codec {
 public:
  Step run(Bytes input, MutableBytes out) override {
    Step total;
    if (!inflater_.is_open() && !input.empty()) inflater_.open(kGzipWindowBits);
    // Not `while (!input.empty())`: zlib may hold output for which there was no room before.
    while (inflater_.is_open() && total.produced < out.size()) {
      if (is_between_members_) {
        if (total.consumed == input.size()) break;
        if (static_cast<unsigned char>(input[total.consumed]) != 0x1F) {
          total.status = Status::ended;
          break;
        }
        inflater_.begin_again();
        is_between_members_ = false;
        has_member_output_ = false;
      }
      const Step step = inflater_.run(input.subspan(total.consumed), out.subspan(total.produced));
      total.consumed += step.consumed;
      total.produced += step.produced;
      has_begun_ |= step.consumed > 0;
      has_member_output_ |= step.produced > 0;
      if (step.status == Status::ended) {
        is_between_members_ = true;
        has_member_ = true;
      } else if (step.status == Status::damaged) {
        total.status = is_garbage() ? Status::ended : Status::damaged;
        break;
      } else if (step.consumed == 0 && step.produced == 0) {
        break;
      }
    }
    return total;
  }

  bool may_end() const override { return !has_begun_ || is_between_members_ || is_garbage(); }

 private:
  // What looked like a member behind a whole one and came to nothing.
  bool is_garbage() const { return has_member_ && !has_member_output_; }

  Inflater inflater_;
  bool has_begun_ = false;
  bool is_between_members_ = false;
  bool has_member_ = false;
  bool has_member_output_ = false;
};

// RFC 9110 section 8.4.1.2: zlib's format; "some non-conformant implementations send raw deflate".
class DeflateCodec final : public Codec {
 public:
  Step run(Bytes input, MutableBytes out) override {
    if (inflater_.is_open()) return inflater_.run(input, out);
    if (input.empty()) return {};
    const auto byte = static_cast<unsigned char>(input.front());
    if (!has_first_) {
      first_ = byte;
      has_first_ = true;
      if (may_begin_zlib(first_)) return after_first(input, out);
      inflater_.open(kRawWindowBits);
      return inflater_.run(input, out);
    }
    inflater_.open(is_zlib_header(first_, byte) ? kZlibWindowBits : kRawWindowBits);
    const std::byte held[] = {static_cast<std::byte>(first_)};
    const Step step = inflater_.run(held, out);
    return step.status == Status::more ? inflater_.run(input, out) : Step{.status = step.status};
  }

  bool may_end() const override { return !has_first_; }

 private:
  // The first byte is kept back until the second tells what it is.
  Step after_first(Bytes input, MutableBytes out) {
    Step step = run(input.subspan(1), out);
    ++step.consumed;
    return step;
  }

  Inflater inflater_;
  unsigned char first_ = 0;
  bool has_first_ = false;
};

}  // namespace

std::unique_ptr<Codec> make_gzip_codec() { return std::make_unique<GzipCodec>(); }
std::unique_ptr<Codec> make_deflate_codec() { return std::make_unique<DeflateCodec>(); }

}  // namespace gossamer::wire
