#include "base/inflater.h"
#include "warc/member_codec.h"

namespace gossamer::warc {
namespace {

using base::Inflater;

class InflateMemberCodec final : public MemberCodec {
 public:
  explicit InflateMemberCodec(Inflater::Format format) : inflater_(format) {}

  Step run(Bytes input, MutableBytes out) override { return inflater_.run(input, out); }
  void begin_again() override { inflater_.begin_again(); }

 private:
  Inflater inflater_;
};

}  // namespace

std::unique_ptr<MemberCodec> make_gzip_member_codec() {
  return std::make_unique<InflateMemberCodec>(Inflater::Format::gzip);
}

std::unique_ptr<MemberCodec> make_deflate_member_codec() {
  return std::make_unique<InflateMemberCodec>(Inflater::Format::raw);
}

}  // namespace gossamer::warc
