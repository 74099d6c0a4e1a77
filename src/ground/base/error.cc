#include "base/error.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/check.h"

namespace gossamer::base {

struct Error::Text {
  std::string detail;
  std::vector<std::string> contexts;  // innermost first
};

void Error::TextDeleter::operator()(Text* text) const noexcept { delete text; }

Error::Error(Errc code, std::string detail) : code_(code) {
  if (!detail.empty()) text().detail = std::move(detail);
}

Error Error::from_errno(int error_number, std::string what) {
  CHECK(error_number > 0);
  Error error(errc_from_errno(error_number), std::move(what));
  error.error_number_ = error_number;
  return error;
}

Error Error::copy() const {
  Error twin(code_);
  twin.error_number_ = error_number_;
  if (text_ != nullptr) twin.text() = *text_;
  return twin;
}

std::string_view Error::detail() const noexcept {
  return text_ == nullptr ? std::string_view() : std::string_view(text_->detail);
}

Error Error::with_context(std::string context) && {
  if (!context.empty()) text().contexts.push_back(std::move(context));
  return std::move(*this);
}

// Returns the detail and the system's message; empty if there is neither.
std::string Error::reason() const {
  std::string line(detail());
  if (error_number_ == 0) return line;
  if (!line.empty()) line += ": ";
  // Unlike strerror, it is neither translated nor shared between threads.
  const char* words = strerrordesc_np(error_number_);
  return line + (words != nullptr ? words : "errno " + std::to_string(error_number_));
}

std::string Error::contexts() const {
  std::string line;
  if (text_ == nullptr) return line;
  for (const std::string& context : text_->contexts) line.append(", ").append(context);
  return line;
}

std::string Error::to_string() const {
  std::string line(name(code_));
  if (const std::string why = reason(); !why.empty()) line.append(": ").append(why);
  return line + contexts();
}

std::string Error::message() const {
  std::string line = reason();
  if (line.empty()) {
    line = name(code_);
    std::ranges::replace(line, '_', ' ');
  }
  return line + contexts();
}

Error::Text& Error::text() {
  if (text_ == nullptr) text_.reset(new Text);
  return *text_;
}

}  // namespace gossamer::base
