// Undoes the compression of one member after the other. The libraries are each included by one .cc
// file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/bytes.h"

namespace gossamer::warc {

class MemberCodec {
 public:
  enum class Status : std::uint8_t {
    more,     // out is full, or the input is used up
    ended,    // the member is whole; what follows is not consumed
    damaged,  // the data is not what it says it is
  };

  struct Step {
    std::size_t consumed = 0;
    std::size_t produced = 0;
    Status status = Status::more;
  };

  virtual ~MemberCodec() = default;
  MemberCodec(const MemberCodec&) = delete;
  MemberCodec& operator=(const MemberCodec&) = delete;

  // Until the output is full, the input is used up, or the member ends. REQUIRES: room in `out`.
  virtual Step run(Bytes input, MutableBytes out) = 0;
  // For another member.
  virtual void begin_again() = 0;

 protected:
  MemberCodec() = default;
};

// RFC 1952.
std::unique_ptr<MemberCodec> make_gzip_member_codec();
// RFC 1951 without any frame, as in ZIP files.
std::unique_ptr<MemberCodec> make_deflate_member_codec();
// RFC 8878: a member is a frame. BOUND: windows of at most 128 MiB.
std::unique_ptr<MemberCodec> make_zstd_member_codec();

}  // namespace gossamer::warc
