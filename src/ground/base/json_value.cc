#include "base/json_value.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/ascii.h"
#include "base/json.h"
#include "base/utf8.h"

namespace gossamer::base {
namespace {

constexpr int kValuesMax = 250'000;

class Parser {
 public:
  Parser(std::string_view text, int depth_max) : rest_(text), depth_max_(depth_max) {}

  Result<JsonValue> parse() {
    JsonValue value;
    if (auto read = read_value(value, 0); !read) return fail(std::move(read).error());
    skip_blanks();
    if (!rest_.empty()) return malformed();
    return value;
  }

 private:
  static std::unexpected<Error> malformed() { return fail(Errc::malformed, "not JSON"); }

  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
  }

  bool take(char wanted) {
    skip_blanks();
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  Result<void> read_value(JsonValue& value, int depth) {
    if (depth > depth_max_) return fail(Errc::over_limit, "JSON is too deep");
    if (++values_ > kValuesMax) return fail(Errc::over_limit, "JSON has too many values");
    skip_blanks();
    if (rest_.starts_with('"')) {
      value.kind = JsonValue::Kind::text;
      return read_text(value.text);
    }
    if (take('{')) return read_object(value, depth);
    if (take('[')) return read_array(value, depth);
    return read_word(value);
  }

  Result<void> read_object(JsonValue& value, int depth) {
    value.kind = JsonValue::Kind::object;
    if (take('}')) return {};
    while (true) {
      skip_blanks();
      JsonMember& member = value.members.emplace_back();
      if (auto name = read_text(member.name); !name) return name;
      if (!take(':')) return malformed();
      if (auto read = read_value(member.value, depth + 1); !read) return read;
      if (take('}')) return {};
      if (!take(',')) return malformed();
    }
  }

  Result<void> read_array(JsonValue& value, int depth) {
    value.kind = JsonValue::Kind::array;
    if (take(']')) return {};
    while (true) {
      if (auto read = read_value(value.items.emplace_back(), depth + 1); !read) return read;
      if (take(']')) return {};
      if (!take(',')) return malformed();
    }
  }

  Result<void> read_word(JsonValue& value) {
    const std::size_t size = std::min(rest_.find_first_of(" \t\r\n,]}:\""), rest_.size());
    value.text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    if (value.text == "null") {
      value.kind = JsonValue::Kind::null;
    } else if (value.text == "true" || value.text == "false") {
      value.kind = JsonValue::Kind::boolean;
    } else {
      value.kind = JsonValue::Kind::number;
      double number = 0;
      const char* const end = value.text.data() + value.text.size();
      const auto [stop, failure] = std::from_chars(value.text.data(), end, number);
      const bool is_range = failure == std::errc::result_out_of_range;
      if (value.text.empty() || stop != end || (failure != std::errc() && !is_range)) {
        return malformed();
      }
    }
    return {};
  }

  Result<void> read_text(std::string& out) {
    if (!rest_.starts_with('"')) return malformed();
    rest_.remove_prefix(1);
    while (true) {
      const std::size_t plain = rest_.find_first_of("\"\\");
      if (plain == std::string_view::npos) return malformed();
      out += rest_.substr(0, plain);
      const char mark = rest_[plain];
      rest_.remove_prefix(plain + 1);
      if (mark == '"') return {};
      if (auto escape = read_escape(out); !escape) return escape;
    }
  }

  Result<void> read_escape(std::string& out) {
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (rest_.empty()) return malformed();
    const char letter = rest_.front();
    rest_.remove_prefix(1);
    if (const std::size_t at = kLetters.find(letter); at != std::string_view::npos) {
      out.push_back(kMeanings[at]);
      return {};
    }
    auto unit = letter == 'u' ? read_unit() : std::nullopt;
    if (!unit) return malformed();
    if (*unit >= 0xD800 && *unit < 0xDC00 && rest_.starts_with("\\u")) {
      const std::string_view before = rest_;
      rest_.remove_prefix(2);
      const auto low = read_unit();
      if (!low) return malformed();
      if (*low >= 0xDC00 && *low < 0xE000) {
        append_utf8(out, 0x10000 + ((*unit - 0xD800) << 10) + (*low - 0xDC00));
        return {};
      }
      rest_ = before;
    }
    // Half of a surrogate pair is not a character.
    append_utf8(out, *unit >= 0xD800 && *unit < 0xE000 ? 0xFFFD : *unit);
    return {};
  }

  std::optional<std::uint32_t> read_unit() {
    if (rest_.size() < 4) return std::nullopt;
    std::uint32_t unit = 0;
    const auto [end, failure] = std::from_chars(rest_.data(), rest_.data() + 4, unit, 16);
    if (failure != std::errc() || end != rest_.data() + 4) return std::nullopt;
    rest_.remove_prefix(4);
    return unit;
  }

  std::string_view rest_;
  const int depth_max_;
  int values_ = 0;
};

// Returns what follows the digits at the beginning.
std::string_view after_digits(std::string_view text) {
  while (!text.empty() && is_digit(text.front())) text.remove_prefix(1);
  return text;
}

// https://www.rfc-editor.org/rfc/rfc8259#section-6
bool is_json_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || !is_digit(text.front())) return false;
  text = text.front() == '0' ? text.substr(1) : after_digits(text);
  if (text.starts_with('.')) {
    const std::string_view fraction = text.substr(1);
    text = after_digits(fraction);
    if (text.size() == fraction.size()) return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    if (text.empty()) return false;
    const std::string_view exponent = text;
    text = after_digits(exponent);
    if (text.size() == exponent.size()) return false;
  }
  return text.empty();
}

}  // namespace

const JsonValue* JsonValue::find(std::string_view name) const noexcept {
  for (const JsonMember& member : members) {
    if (member.name == name) return &member.value;
  }
  return nullptr;
}

std::string_view JsonValue::text_of(std::string_view name) const noexcept {
  const JsonValue* const value = find(name);
  const bool is_text =
      value != nullptr && (value->kind == Kind::text || value->kind == Kind::number);
  return is_text ? std::string_view(value->text) : std::string_view();
}

std::optional<std::uint64_t> JsonValue::as_number() const noexcept {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, number);
  if (text.empty() || stop != end || failure != std::errc()) return std::nullopt;
  return number;
}

Result<JsonValue> parse_json(std::string_view text, int depth_max) {
  return Parser(text, depth_max).parse();
}

void append_json(std::string& out, const JsonValue& value) {
  switch (value.kind) {
    case JsonValue::Kind::number:
      if (!is_json_number(value.text)) return append_json_string(out, value.text);
      [[fallthrough]];
    case JsonValue::Kind::null:
    case JsonValue::Kind::boolean: out += value.text.empty() ? "null" : value.text; return;
    case JsonValue::Kind::text: append_json_string(out, value.text); return;
    case JsonValue::Kind::array: {
      std::string_view comma = "[";
      for (const JsonValue& item : value.items) {
        out += std::exchange(comma, ", ");
        append_json(out, item);
      }
      out += value.items.empty() ? "[]" : "]";
      return;
    }
    case JsonValue::Kind::object: {
      std::string_view comma = "{";
      for (const JsonMember& member : value.members) {
        out += std::exchange(comma, ", ");
        append_json_string(out, member.name);
        out += ": ";
        append_json(out, member.value);
      }
      out += value.members.empty() ? "{}" : "}";
      return;
    }
  }
}

}  // namespace gossamer::base
