// The addresses in a style sheet, or in a style attribute: url(...) and @import.
// https://drafts.csswg.org/css-syntax-3/#tokenization
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gossamer::html {

// Reads one address after the other:
//
//   CssUrls urls(css);
//   while (urls.next()) use(urls.url(), urls.is_import());
//
// Counted are unquoted url(a), url("a") with nothing but the string, and @import "a". In a custom
// property (--x: url(a)) an address counts too, since some other rule will use it; but nothing is
// imported there, and a place in the page itself (#a) is no address. The input is UTF-8, the whole
// style sheet. Broken style sheets are read as browsers do. BORROWS: the text.
class CssUrls {
 public:
  explicit CssUrls(std::string_view css) noexcept : css_(css) {}

  // Whether it is worth reading: most style sheets in pages, and nearly all style attributes, have
  // no address, and that can be seen much faster than they can be read.
  static bool may_have_urls(std::string_view css) noexcept;

  // False: there are no more.
  bool next() { return next(css_.size()); }
  // The same, but false also after about so many bytes without an address: see is_over().
  bool next(std::size_t bytes);
  // All of it has been read.
  bool is_over() const noexcept { return at_ >= css_.size(); }

  // Escapes replaced. REQUIRES: next() was true. BORROWS: until the next call.
  std::string_view url() const noexcept { return url_; }
  // It is another style sheet.
  bool is_import() const noexcept { return url_is_import_; }
  // Where it stands in the text: all of url(...), or the string behind @import with its quotes.
  std::size_t begin() const noexcept { return begin_; }
  std::size_t end() const noexcept { return at_; }

 private:
  int peek(std::size_t ahead = 0) const noexcept {
    return at_ + ahead < css_.size() ? static_cast<unsigned char>(css_[at_ + ahead]) : -1;
  }
  bool starts_escape(std::size_t ahead) const noexcept;
  bool skip_comment() noexcept;
  void skip_spaces() noexcept;
  void skip_spaces_and_comments() noexcept;
  void skip_rest_of_bad_url() noexcept;
  void follow_custom_property(char c) noexcept;

  bool read_token();
  bool read_name_or_function();
  std::string_view read_name();
  void read_escape(std::string& out);
  bool read_string(std::string& out);
  bool read_url();
  bool read_unquoted_url();

  std::string_view css_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;      // of the token read last
  bool after_import_ = false;  // "@import" was the last thing read
  bool url_is_import_ = false;
  bool in_custom_property_ = false;
  std::size_t depth_ = 0;  // of brackets in the custom property
  std::string url_;
  std::string name_;  // the last name that had escapes
};

}  // namespace gossamer::html
