#include "wire/content_type.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"

namespace gossamer::wire {
namespace {

constexpr std::string_view kWhiteSpace = "\t\n\r ";
constexpr std::string_view kBlanks = "\t ";

// More than any real header has; without it, a header full of parameters would cost the square of
// its length.
constexpr std::size_t kParametersMax = 128;

// "HTTP token code point"
constexpr bool is_token(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         std::string_view("!#$%&'*+-.^_`|~").contains(c);
}

// "HTTP quoted-string token code point"
constexpr bool is_quotable(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte == '\t' || (byte >= 0x20 && byte != 0x7F);
}

bool is_all_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_token);
}

std::string_view trim_start(std::string_view text, std::string_view set) {
  text.remove_prefix(std::min(text.find_first_not_of(set), text.size()));
  return text;
}

std::string_view trim_end(std::string_view text, std::string_view set) {
  return text.substr(0, text.find_last_not_of(set) + 1);
}

// Takes everything before `stop`, or the whole text.
std::string_view take_until(std::string_view& text, std::string_view stop) {
  const std::string_view taken = text.substr(0, text.find_first_of(stop));
  text.remove_prefix(taken.size());
  return taken;
}

// https://fetch.spec.whatwg.org/#collect-an-http-quoted-string, with extract-value. Removes the
// string from the front and returns its value. REQUIRES: the text starts with a quote.
std::string take_quoted(std::string_view& text) {
  std::string value;
  text.remove_prefix(1);
  while (!text.empty()) {
    value += take_until(text, "\"\\");
    if (text.empty()) break;
    const char mark = text.front();
    text.remove_prefix(1);
    if (mark == '"') break;
    value += text.empty() ? '\\' : text.front();
    if (!text.empty()) text.remove_prefix(1);
  }
  return value;
}

// https://fetch.spec.whatwg.org/#concept-header-list-get-decode-split, one value at a time. Removes
// it from the front; `rest` is empty after the last one.
std::string_view take_value(std::optional<std::string_view>& rest) {
  std::string_view text = *rest;
  const char* const start = text.data();
  while (true) {
    take_until(text, "\",");
    if (text.empty() || text.front() == ',') break;
    take_quoted(text);
  }
  const std::string_view value(start, static_cast<std::size_t>(text.data() - start));
  rest = text.empty() ? std::nullopt : std::optional(text.substr(1));
  return trim_end(trim_start(value, kBlanks), kBlanks);
}

std::string join(std::span<const std::string_view> headers) {
  std::string joined;
  for (std::size_t i = 0; i < headers.size(); ++i) {
    if (i > 0) joined += ", ";
    joined += headers[i];
  }
  return joined;
}

}  // namespace

// https://mimesniff.spec.whatwg.org/#parse-a-mime-type
std::optional<MimeType> MimeType::parse(std::string_view text) {
  text = trim_end(trim_start(text, kWhiteSpace), kWhiteSpace);
  const std::string_view type = take_until(text, "/");
  if (!is_all_token(type) || text.empty()) return std::nullopt;
  text.remove_prefix(1);
  const std::string_view subtype = trim_end(take_until(text, ";"), kWhiteSpace);
  if (!is_all_token(subtype)) return std::nullopt;

  MimeType mime_type;
  mime_type.essence_ = base::lower_case(type) + "/" + base::lower_case(subtype);
  mime_type.slash_ = type.size();
  mime_type.parse_parameters(text);
  return mime_type;
}

// The text starts at a semicolon or is empty.
void MimeType::parse_parameters(std::string_view text) {
  while (!text.empty() && parameters_.size() < kParametersMax) {
    text.remove_prefix(1);
    text = trim_start(text, kWhiteSpace);
    const std::string name = base::lower_case(take_until(text, ";="));
    if (text.empty() || text.front() == ';') continue;
    text.remove_prefix(1);
    if (text.empty()) break;
    std::string value;
    if (text.front() == '"') {
      value = take_quoted(text);
      take_until(text, ";");
    } else {
      value = trim_end(take_until(text, ";"), kWhiteSpace);
      if (value.empty()) continue;
    }
    if (is_all_token(name) && std::ranges::all_of(value, is_quotable) && !parameter(name)) {
      parameters_.push_back({name, std::move(value)});
    }
  }
}

std::optional<std::string_view> MimeType::parameter(std::string_view name) const {
  const auto found = std::ranges::find(parameters_, name, &Parameter::name);
  if (found == parameters_.end()) return std::nullopt;
  return found->value;
}

// https://mimesniff.spec.whatwg.org/#serialize-a-mime-type
std::string MimeType::to_string() const {
  std::string text = essence_;
  for (const auto& [name, value] : parameters_) {
    text += ";" + name + "=";
    if (is_all_token(value)) {
      text += value;
      continue;
    }
    text += '"';
    for (const char c : value) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    text += '"';
  }
  return text;
}

bool MimeType::is_xml() const {
  return subtype().ends_with("+xml") || essence_ == "text/xml" || essence_ == "application/xml";
}

bool MimeType::is_json() const {
  return subtype().ends_with("+json") || essence_ == "application/json" || essence_ == "text/json";
}

// https://mimesniff.spec.whatwg.org/#javascript-mime-type, without names that nobody uses.
bool MimeType::is_javascript() const {
  const std::string_view name = subtype();
  return name == "javascript" || name == "x-javascript" || name == "ecmascript";
}

// https://fetch.spec.whatwg.org/#concept-header-extract-mime-type
std::optional<MimeType> extract_mime_type(std::span<const std::string_view> headers) {
  if (headers.empty()) return std::nullopt;
  const std::string joined = headers.size() == 1 ? std::string() : join(headers);
  std::optional<MimeType> mime_type;
  std::optional<std::string> charset;
  std::optional<std::string_view> rest = headers.size() == 1 ? headers.front() : joined;
  while (rest) {
    auto next = MimeType::parse(take_value(rest));
    if (!next || next->essence() == "*/*") continue;
    const auto own_charset = next->parameter("charset");
    if (!mime_type || next->essence() != mime_type->essence()) {
      charset = own_charset;
    } else if (!own_charset && charset) {
      next->parameters_.push_back({"charset", *charset});
    }
    mime_type = std::move(next);
  }
  return mime_type;
}

}  // namespace gossamer::wire
