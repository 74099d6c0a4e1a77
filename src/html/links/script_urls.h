// Addresses in scripts and JSON: strings that are, beyond reasonable doubt, URLs. A guess, and off
// unless asked for: a script may build addresses that no reader of its text can know.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gossamer::html {

// Reads one address after the other from string literals, as CssUrls does. Accepted are strings
// that are one whole address and nothing else:
//   absolute             https://example.com/a
//   relative to scheme   //example.com/a
//   relative to root     /a/b.html, /a/b/        (a known ending of pages, or a slash)
// Not accepted: strings with white space, with holes for values ({}, ${x}, %s, *, <, >), regular
// expressions, and hosts without a dot. BORROWS: the text.
class ScriptUrls {
 public:
  explicit ScriptUrls(std::string_view script) noexcept : script_(script) {}

  bool next();
  // Escapes replaced. REQUIRES: next() was true. BORROWS: until the next call.
  std::string_view url() const noexcept { return url_; }

 private:
  bool read_string(char quote);
  void read_escape();

  std::string_view script_;
  std::size_t at_ = 0;
  std::string url_;
};

// Whether a string of a script is an address, by the rules above.
bool looks_like_url(std::string_view text) noexcept;

}  // namespace gossamer::html
