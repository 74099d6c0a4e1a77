// Reads header values made of commas and semicolons, tokens, quoted strings and name=value.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "wire/text.h"

namespace gossamer::wire {

class ParameterReader {
 public:
  explicit ParameterReader(std::string_view text) : rest_(text) {}

  bool is_at_end() const noexcept { return rest_.empty(); }
  char peek() const noexcept { return rest_.empty() ? '\0' : rest_.front(); }
  std::string_view rest() const noexcept { return rest_; }

  void skip_blanks() noexcept {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  }
  bool skip(char c) noexcept {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // Returns the next token; empty if there is none here.
  std::string_view token() noexcept {
    std::size_t size = 0;
    while (size < rest_.size() && is_token_char(rest_[size])) ++size;
    return take(size);
  }
  // Returns the text up to one of these characters.
  std::string_view until(std::string_view stops) noexcept {
    return take(std::min(rest_.find_first_of(stops), rest_.size()));
  }
  // Returns a quoted string without its quotes and backslashes; an unterminated one reaches to the
  // end.
  // REQUIRES: peek() is a quotation mark.
  std::string quoted() {
    std::string text;
    rest_.remove_prefix(1);
    while (!rest_.empty() && !skip('"')) {
      if (rest_.front() == '\\' && rest_.size() > 1) rest_.remove_prefix(1);
      text += rest_.front();
      rest_.remove_prefix(1);
    }
    return text;
  }

 private:
  std::string_view take(std::size_t size) noexcept {
    const std::string_view part = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return part;
  }

  std::string_view rest_;
};

}  // namespace gossamer::wire
