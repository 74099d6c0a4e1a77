// Finds URLs in text without link markup.
#pragma once

#include <cstddef>
#include <string_view>

namespace gossamer::check {

// A URL between other words.
struct BareAddress {
  std::size_t offset = std::string_view::npos;  // npos if there is none
  std::size_t size = 0;

  bool exists() const noexcept { return offset != std::string_view::npos; }
};

// Returns the first one at `from` or after it: http:// or https:// and a host that has a dot.
// Punctuation that ends a sentence or closes a bracket is not part of it, and a template
// ("https://a.example/{id}") is not a URL. BOUND: URLs of 4 KiB; linear in the text that is
// skipped.
BareAddress find_bare_address(std::string_view text, std::size_t from) noexcept;

// Returns whether the first bytes of a file are text: valid UTF-8 without unusual controls. The
// last character may be cut.
bool looks_like_text(std::string_view beginning) noexcept;

// Returns whether each line is one word or a comment, as in a list of URLs.
bool looks_like_list(std::string_view text) noexcept;

}  // namespace gossamer::check
