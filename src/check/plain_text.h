// Addresses in text that has no marks for links.
#pragma once

#include <cstddef>
#include <string_view>

namespace gossamer::check {

// An address as people write it between other words.
struct BareAddress {
  std::size_t offset = std::string_view::npos;  // npos: there is none
  std::size_t size = 0;

  bool exists() const noexcept { return offset != std::string_view::npos; }
};

// The first one at `from` or behind it: http:// or https:// and a host that has a dot. Punctuation
// that ends a sentence or closes a bracket is no part of it, and neither is a template
// ("https://a.example/{id}") an address. BOUND: addresses of 4 KiB; linear in what is passed over.
BareAddress find_bare_address(std::string_view text, std::size_t from) noexcept;

// Whether the first bytes of a file are text: valid UTF-8 without controls that text does not have.
// The last character may be cut.
bool looks_like_text(std::string_view beginning) noexcept;

// Whether each line is one word or a comment, as in a list of URLs.
bool looks_like_list(std::string_view text) noexcept;

}  // namespace gossamer::check
