// Writes the query of a link in the encoding of its page. The url layer knows no encodings; a
// caller that does passes one of these to Url::parse or Url::assign.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gossamer::url {

// https://url.spec.whatwg.org/#string-percent-encode-after-encoding
class QueryEncoder {
 public:
  struct Step {
    // Bytes of the text that are done, including the refused code point.
    std::size_t consumed = 0;
    // The code point that the encoding cannot express. It is written as "%26%23" digits "%3B".
    std::optional<char32_t> refused;
  };

  // Appends the text (UTF-8) in the encoding to `bytes`, up to its end or to the first code point
  // that the encoding cannot express. The caller repeats it with the rest until all is consumed. A
  // stateful encoding keeps its state between calls and returns to its initial state at the end of
  // the text.
  virtual Step encode(std::string_view text, std::string& bytes) = 0;

 protected:
  ~QueryEncoder() = default;
};

}  // namespace gossamer::url
