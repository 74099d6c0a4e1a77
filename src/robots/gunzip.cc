#include "robots/gunzip.h"

#include <zlib.h>

#include <array>
#include <limits>

#include "base/check.h"

namespace gossamer::robots {

struct Gunzip::State {
  z_stream stream = {};
  bool is_between_members = false;
  std::array<char, 64 * 1024> piece;
};

Gunzip::Gunzip() : state_(std::make_unique<State>()) {
  CHECK_EQ(inflateInit2(&state_->stream, MAX_WBITS + 16), Z_OK);
}

Gunzip::~Gunzip() { inflateEnd(&state_->stream); }

void Gunzip::give(std::string_view packed) {
  CHECK_LE(packed.size(), std::numeric_limits<uInt>::max());
  state_->stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  state_->stream.avail_in = static_cast<uInt>(packed.size());
}

Gunzip::Outcome Gunzip::next(std::string_view& piece) {
  z_stream& stream = state_->stream;
  while (true) {
    if (state_->is_between_members) {
      // Members may follow each other; anything else is padding or garbage.
      if (stream.avail_in == 0 || *stream.next_in != 0x1F) return Outcome::done;
      inflateReset(&stream);
      state_->is_between_members = false;
    }
    stream.next_out = reinterpret_cast<Bytef*>(state_->piece.data());
    stream.avail_out = static_cast<uInt>(state_->piece.size());
    const int status = inflate(&stream, Z_NO_FLUSH);
    const std::size_t size = state_->piece.size() - stream.avail_out;
    if (status == Z_STREAM_END) state_->is_between_members = true;
    if (size > 0) {
      piece = {state_->piece.data(), size};
      return Outcome::piece;
    }
    if (status == Z_BUF_ERROR || (status == Z_OK && stream.avail_in == 0)) {
      return Outcome::needs_more;
    }
    if (status != Z_OK && status != Z_STREAM_END) return Outcome::broken;
  }
}

}  // namespace gossamer::robots
