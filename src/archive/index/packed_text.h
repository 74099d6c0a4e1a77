// Texts in the index, compressed.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace gossamer::index {

// One thread uses it at a time. The memory of the codec is reused.
class TextPacker {
 public:
  TextPacker();
  // BORROWS: the result, until the next call.
  std::string_view pack(std::string_view text);

 private:
  struct Deleter {
    void operator()(ZSTD_CCtx_s* context) const noexcept;
  };
  std::unique_ptr<ZSTD_CCtx_s, Deleter> context_;
  std::string packed_;
};

class TextUnpacker {
 public:
  TextUnpacker();
  // Fails with Errc::malformed. BOUND: kIndexedTextBytesMax, and the line feed of joined_text().
  Result<std::string> unpack(std::string_view packed);

 private:
  struct Deleter {
    void operator()(ZSTD_DCtx_s* context) const noexcept;
  };
  std::unique_ptr<ZSTD_DCtx_s, Deleter> context_;
};

}  // namespace gossamer::index
