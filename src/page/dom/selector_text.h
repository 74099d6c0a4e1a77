// Reads the words of a selector.
// https://drafts.csswg.org/css-syntax/
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gossamer::dom {

// BORROWS: the text.
class SelectorText {
 public:
  explicit SelectorText(std::string_view text) noexcept : text_(text) {}

  bool at_end() const noexcept { return at_ == text_.size(); }
  // Returns 0 at the end.
  char peek(std::size_t ahead = 0) const noexcept {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  // Takes this character if it is next.
  bool take(char c) noexcept;
  // Takes this word, in any case, if it is next and complete.
  bool take_word(std::string_view lower) noexcept;
  // Takes white space and comments. Returns whether there was white space.
  bool skip_space() noexcept;
  void skip_comments() noexcept;

  // Returns an identifier with its escapes replaced, or nothing.
  std::optional<std::string> identifier();
  // Returns the text of a quoted string, or nothing.
  std::optional<std::string> string();

  struct Nth {
    std::int32_t step;
    std::int32_t offset;
  };
  // https://drafts.csswg.org/css-syntax/#anb-microsyntax
  std::optional<Nth> nth();

  // Moves to the ',' or ')' that ends the current argument, or to the end.
  void skip_argument() noexcept;

  std::size_t position() const noexcept { return at_; }

 private:
  bool at_name_start(std::size_t ahead) const noexcept;
  std::optional<std::string> name();
  void take_escape(std::string& out);
  std::optional<std::int32_t> integer() noexcept;

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace gossamer::dom
