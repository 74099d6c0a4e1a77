// Finds URLs in scripts and JSON: strings that are URLs beyond reasonable doubt. It is a guess and
// off by default, because a script can build URLs that do not appear in its text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gossamer::html {

// Reads the URLs in string literals one by one, like CssUrls. It accepts strings that are one whole
// URL and nothing else:
//   absolute             https://example.com/a
//   relative to scheme   //example.com/a
//   relative to root     /a/b.html, /a/b/        (a known ending of pages, or a slash)
// It rejects strings with white space or placeholders ({}, ${x}, %s, *, <, >), regular expressions,
// and hosts without a dot. Time is linear. BORROWS: the text.
class ScriptUrls {
 public:
  explicit ScriptUrls(std::string_view script) noexcept : script_(script) {}

  // Returns false if there are no more.
  bool next() { return next(script_.size()); }
  // The same, but also returns false after about this many bytes without a URL: see is_over().
  bool next(std::size_t bytes);
  // Returns whether all of it has been read.
  bool is_over() const noexcept { return at_ >= script_.size(); }
  // The position in the text.
  std::size_t end() const noexcept { return at_; }
  // Escapes replaced. REQUIRES: next() was true. BORROWS: until the next call.
  std::string_view url() const noexcept { return url_; }

 private:
  bool read_string(std::size_t end);
  void read_escape();

  std::string_view script_;
  std::size_t at_ = 0;
  char quote_ = '\0';  // of the string that is being read
  bool is_too_long_ = false;
  std::string url_;
};

// Returns whether a string of a script is a URL by the rules above.
bool looks_like_url(std::string_view text) noexcept;

}  // namespace gossamer::html
