// Finds the URLs in a style sheet or in a style attribute: url(...), @import, image-set("...").
// https://drafts.csswg.org/css-syntax-3/#tokenization
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gossamer::html {

// Reads the URLs one by one:
//
//   CssUrls urls(css);
//   while (urls.next()) use(urls.url(), urls.is_import());
//
// It finds unquoted url(a), url("a") with nothing but the string, @import "a", and the strings of
// image-set("a" 1x, "b" 2x). A URL in a
// custom property (--x: url(a)) counts too, since another rule will use it; but @import has no
// effect there, and a fragment (#a) is ignored there. The input is UTF-8, the whole style sheet.
// Invalid style sheets are read as browsers do. BORROWS: the text.
class CssUrls {
 public:
  explicit CssUrls(std::string_view css) noexcept : css_(css) {}

  // Returns false if there are certainly no URLs. Most style sheets in pages, and nearly all style
  // attributes, have none, and this test is much faster than reading them.
  static bool may_have_urls(std::string_view css) noexcept;

  // Returns false if there are no more.
  bool next() { return next(css_.size()); }
  // The same, but also returns false after about this many bytes without a URL: see is_over().
  bool next(std::size_t bytes);
  // Returns whether all of it has been read.
  bool is_over() const noexcept { return at_ >= css_.size(); }

  // Escapes replaced. REQUIRES: next() was true. BORROWS: until the next call.
  std::string_view url() const noexcept { return url_; }
  // Returns whether the URL is that of another style sheet.
  bool is_import() const noexcept { return url_is_import_; }
  // The position in the text: all of url(...), or the string with its quotes.
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
  void follow_image_set(char c) noexcept;

  bool read_token();
  bool read_name_or_function();
  std::string_view read_name();
  void read_escape(std::string& out);
  bool read_string(std::string& out);
  bool read_url();
  bool read_unquoted_url();

  std::string_view css_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;      // of the last token
  bool after_import_ = false;  // the last token was "@import"
  bool url_is_import_ = false;
  bool in_custom_property_ = false;
  std::size_t depth_ = 0;            // of brackets in the custom property
  std::size_t image_set_depth_ = 0;  // of parentheses in image-set(); 0: outside
  std::string url_;
  std::string name_;  // the last name that had escapes
};

}  // namespace gossamer::html
