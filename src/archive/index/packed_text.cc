#include "index/packed_text.h"

#include <zstd.h>

#include "base/check.h"
#include "index/page_text.h"

namespace gossamer::index {
namespace {

// Level 3 saves a hundredth of the size of an index, and takes longer.
constexpr int kTextLevel = 1;

}  // namespace

TextPacker::TextPacker() : context_(ZSTD_createCCtx()) { CHECK(context_ != nullptr); }

void TextPacker::Deleter::operator()(ZSTD_CCtx_s* context) const noexcept {
  ZSTD_freeCCtx(context);
}

std::string_view TextPacker::pack(std::string_view text) {
  packed_.resize(ZSTD_compressBound(text.size()));
  const std::size_t size = ZSTD_compressCCtx(context_.get(), packed_.data(), packed_.size(),
                                             text.data(), text.size(), kTextLevel);
  CHECK(ZSTD_isError(size) == 0);  // the buffer is large enough
  return std::string_view(packed_).substr(0, size);
}

TextUnpacker::TextUnpacker() : context_(ZSTD_createDCtx()) { CHECK(context_ != nullptr); }

void TextUnpacker::Deleter::operator()(ZSTD_DCtx_s* context) const noexcept {
  ZSTD_freeDCtx(context);
}

Result<std::string> TextUnpacker::unpack(std::string_view packed) {
  const auto size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR ||
      size > kIndexedTextBytesMax + 1) {
    return fail(Errc::malformed, "a text in the index is damaged");
  }
  std::string text(size, '\0');
  const std::size_t done =
      ZSTD_decompressDCtx(context_.get(), text.data(), text.size(), packed.data(), packed.size());
  if (ZSTD_isError(done) != 0 || done != size) {
    return fail(Errc::malformed, "a text in the index is damaged");
  }
  return text;
}

}  // namespace gossamer::index
