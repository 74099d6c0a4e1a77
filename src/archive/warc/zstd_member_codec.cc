#include <zstd.h>

#include <new>

#include "base/check.h"
#include "warc/member_codec.h"

namespace gossamer::warc {
namespace {

class ZstdMemberCodec final : public MemberCodec {
 public:
  ZstdMemberCodec() : context_(ZSTD_createDCtx()) {
    if (context_ == nullptr) throw std::bad_alloc();
  }

  Step run(Bytes input, MutableBytes out) override {
    ZSTD_inBuffer in = {input.data(), input.size(), 0};
    ZSTD_outBuffer output = {out.data(), out.size(), 0};
    const std::size_t result = ZSTD_decompressStream(context_.get(), &output, &in);
    const Status status = ZSTD_isError(result) != 0 ? Status::damaged
                          : result == 0             ? Status::ended
                                                    : Status::more;
    return {in.pos, output.pos, status};
  }

  void begin_again() override {
    CHECK_EQ(ZSTD_isError(ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only)), 0U);
  }

 private:
  struct Deleter {
    void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
  };

  std::unique_ptr<ZSTD_DCtx, Deleter> context_;
};

}  // namespace

std::unique_ptr<MemberCodec> make_zstd_member_codec() {
  return std::make_unique<ZstdMemberCodec>();
}

}  // namespace gossamer::warc
