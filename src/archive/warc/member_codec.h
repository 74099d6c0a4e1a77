// Decompresses one member after the other. Each library is included by one .cc file only.
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

  // Runs until the output is full, the input is used up, or the member ends; bytes after the member
  // are not consumed. REQUIRES: `out` is not empty.
  virtual Step run(Bytes input, MutableBytes out) = 0;
  // Prepares for another member.
  virtual void begin_again() = 0;

 protected:
  MemberCodec() = default;
};

// RFC 1952.
std::unique_ptr<MemberCodec> make_gzip_member_codec();
// RFC 1951 without a header, as in ZIP files.
std::unique_ptr<MemberCodec> make_deflate_member_codec();
// RFC 8878: a member is a frame. BOUND: windows of at most 128 MiB.
std::unique_ptr<MemberCodec> make_zstd_member_codec();

}  // namespace gossamer::warc
