// Encodes UTF-8 in another encoding. A crawler needs it only for queries: the query of a link in a
// page that is not UTF-8 is percent-encoded in the page's encoding.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "html/encoding/encoding.h"
#include "url/query_encoder.h"

namespace gossamer::html {

// Pass it to Url::parse for the links of a page in that encoding.
class Encoder final : public url::QueryEncoder {
 public:
  // Uses the output encoding: UTF-8 instead of UTF-16 and `replacement`.
  explicit Encoder(Encoding encoding) noexcept : encoding_(output_encoding(encoding)) {}

  // Bytes of `text` that are not UTF-8 count as U+FFFD.
  Step encode(std::string_view text, std::string& bytes) override;

 private:
  Encoding encoding_;
  std::uint8_t mode_ = 0;  // ISO-2022-JP: the character set of the last escape sequence
};

// Encodes a whole text; characters that the encoding does not have become character references:
// &#8364;.
std::string encode(Encoding encoding, std::string_view text);

}  // namespace gossamer::html
