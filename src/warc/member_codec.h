// Undoes the compression of one member after the other. The libraries are each included by one .cc
// file.
#pragma once

#include <memory>

#include "base/bytes.h"
#include "base/codec_step.h"

namespace gossamer::warc {

class MemberCodec {
 public:
  using Status = base::CodecStatus;
  using Step = base::CodecStep;

  virtual ~MemberCodec() = default;
  MemberCodec(const MemberCodec&) = delete;
  MemberCodec& operator=(const MemberCodec&) = delete;

  // Until the output is full, the input is used up, or the member ends; what follows is not
  // consumed. REQUIRES: room in `out`.
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
