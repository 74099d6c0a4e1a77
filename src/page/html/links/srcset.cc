#include "html/links/srcset.h"

#include <charconv>

#include "html/token/ascii.h"

namespace gossamer::html {
namespace {

// https://html.spec.whatwg.org/#valid-non-negative-integer
bool is_valid_integer(std::string_view text) noexcept {
  for (const char c : text) {
    if (!is_ascii_digit(c)) return false;
  }
  return !text.empty();
}

// https://html.spec.whatwg.org/#valid-floating-point-number
bool is_valid_float(std::string_view text) noexcept {
  const auto skip_digits = [&text] {
    bool any = false;
    while (!text.empty() && is_ascii_digit(text.front())) {
      text.remove_prefix(1);
      any = true;
    }
    return any;
  };
  if (text.starts_with('-')) text.remove_prefix(1);
  bool has_digits = skip_digits();
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (!skip_digits()) return false;
    has_digits = true;
  }
  if (!has_digits) return false;
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    if (!skip_digits()) return false;
  }
  return text.empty();
}

// REQUIRES: `text` is valid.
double to_number(std::string_view text) noexcept {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  // The value is too large or too small for a double; it is neither zero nor negative.
  if (error == std::errc::result_out_of_range) value = text.starts_with('-') ? -1 : 1;
  return value;
}

// The descriptors of one candidate.
struct Descriptors {
  std::optional<double> width;
  std::optional<double> density;
  bool has_height = false;
  bool has_error = false;

  // https://html.spec.whatwg.org/#parse-a-srcset-attribute, step "descriptor parser".
  void add(std::string_view descriptor) {
    if (descriptor.empty()) return;
    const char unit = descriptor.back();
    const std::string_view number = descriptor.substr(0, descriptor.size() - 1);
    if (unit == 'w' && is_valid_integer(number)) {
      const double value = to_number(number);
      if (width || density || value == 0) has_error = true;
      width = value;
    } else if (unit == 'x' && is_valid_float(number)) {
      const double value = to_number(number);
      if (width || density || has_height || value < 0) has_error = true;
      density = value;
    } else if (unit == 'h' && is_valid_integer(number)) {
      if (has_height || density || to_number(number) == 0) has_error = true;
      has_height = true;
    } else {
      has_error = true;
    }
  }
  bool is_valid() const noexcept { return !has_error && (!has_height || width); }
};

// The "descriptor tokenizer": reads from `at` to the comma that ends the candidate.
std::size_t read_descriptors(std::string_view text, std::size_t at, Descriptors& out) {
  std::size_t begin = at;
  bool in_parentheses = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (in_parentheses) {
      if (c == ')') in_parentheses = false;
    } else if (c == ',') {
      out.add(text.substr(begin, at - begin));
      return at + 1;
    } else if (is_html_space(c)) {
      out.add(text.substr(begin, at - begin));
      begin = at + 1;
    } else if (c == '(') {
      in_parentheses = true;
    }
  }
  out.add(text.substr(begin));
  return at;
}

}  // namespace

std::vector<ImageCandidate> parse_srcset(std::string_view srcset) {
  std::vector<ImageCandidate> candidates;
  std::size_t at = 0;
  for (;;) {
    while (at < srcset.size() && (is_html_space(srcset[at]) || srcset[at] == ',')) ++at;
    if (at == srcset.size()) return candidates;
    const std::size_t begin = at;
    while (at < srcset.size() && !is_html_space(srcset[at])) ++at;
    std::string_view url = srcset.substr(begin, at - begin);
    Descriptors descriptors;
    if (url.ends_with(',')) {
      while (url.ends_with(',')) url.remove_suffix(1);
    } else {
      at = read_descriptors(srcset, at, descriptors);
    }
    if (descriptors.is_valid()) {
      candidates.push_back({url, descriptors.width, descriptors.density});
    }
  }
}

}  // namespace gossamer::html
