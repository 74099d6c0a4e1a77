// UTF-8 to bytes of an encoding. A crawler needs it for one thing: the query of a link in a page
// that is not UTF-8 is percent-encoded in the encoding of the page.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "html/encoding/encoding.h"
#include "url/query_encoder.h"

namespace gossamer::html {

// Hand it to Url::parse for the links of a page in that encoding.
class Encoder final : public url::QueryEncoder {
 public:
  // Takes the output encoding: UTF-8 in place of UTF-16 and `replacement`.
  explicit Encoder(Encoding encoding) noexcept : encoding_(output_encoding(encoding)) {}

  // Bytes of `text` that are not UTF-8 count as U+FFFD.
  Step encode(std::string_view text, std::string& bytes) override;

 private:
  Encoding encoding_;
  std::uint8_t mode_ = 0;  // ISO-2022-JP: which characters the last escape sequence chose
};

// All of a text; what the encoding cannot express becomes a character reference: &#8364;.
std::string encode(Encoding encoding, std::string_view text);

}  // namespace gossamer::html
