#include "site/json_object.h"

#include <charconv>
#include <utility>

namespace gossamer::site {
namespace {

void append_utf8(std::string& out, char32_t point) {
  const auto add = [&out](char32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (point < 0x80) return add(point);
  if (point < 0x800) {
    add(0xC0 | point >> 6);
  } else {
    if (point < 0x10000) {
      add(0xE0 | point >> 12);
    } else {
      add(0xF0 | point >> 18);
      add(0x80 | (point >> 12 & 0x3F));
    }
    add(0x80 | (point >> 6 & 0x3F));
  }
  add(0x80 | (point & 0x3F));
}

class ObjectReader {
 public:
  explicit ObjectReader(std::string_view text) : left_(text) {}

  // False: it is no object.
  bool read(std::vector<JsonMember>& members) {
    if (!take('{')) return false;
    if (take('}')) return at_end();
    do {
      JsonMember member;
      if (!read_text(member.name) || !take(':') || !read_value(member)) return false;
      members.push_back(std::move(member));
    } while (take(','));
    return take('}') && at_end();
  }

 private:
  void skip_blanks() {
    const std::size_t size = left_.find_first_not_of(" \t\r\n");
    left_.remove_prefix(size == std::string_view::npos ? left_.size() : size);
  }

  bool take(char c) {
    skip_blanks();
    if (!left_.starts_with(c)) return false;
    left_.remove_prefix(1);
    return true;
  }

  bool at_end() {
    skip_blanks();
    return left_.empty();
  }

  bool read_value(JsonMember& member) {
    skip_blanks();
    if (left_.starts_with('"')) {
      member.is_text = true;
      return read_text(member.value);
    }
    const std::size_t size = value_size();
    member.value = left_.substr(0, size);
    left_.remove_prefix(size);
    while (member.value.ends_with(' ')) member.value.pop_back();
    return !member.value.empty();
  }

  // To the comma or brace behind a number, a word, an array or an object.
  std::size_t value_size() const {
    std::size_t depth = 0;
    bool in_text = false;
    for (std::size_t i = 0; i < left_.size(); ++i) {
      const char c = left_[i];
      if (in_text) {
        if (c == '\\') ++i;
        if (c == '"') in_text = false;
      } else if (c == '"') {
        in_text = true;
      } else if (c == '[' || c == '{') {
        ++depth;
      } else if (depth == 0 && (c == ',' || c == '}')) {
        return i;
      } else if (c == ']' || c == '}') {
        if (depth-- == 0) return 0;
      }
    }
    return 0;
  }

  bool read_text(std::string& into) {
    if (!take('"')) return false;
    while (!left_.empty()) {
      const char c = left_.front();
      left_.remove_prefix(1);
      if (c == '"') return true;
      if (static_cast<unsigned char>(c) < 0x20) return false;
      if (c != '\\') {
        into += c;
      } else if (!read_escape(into)) {
        return false;
      }
    }
    return false;
  }

  bool read_escape(std::string& into) {
    if (left_.empty()) return false;
    const char c = left_.front();
    left_.remove_prefix(1);
    switch (c) {
      case '"':
      case '\\':
      case '/': into += c; return true;
      case 'b': into += '\b'; return true;
      case 'f': into += '\f'; return true;
      case 'n': into += '\n'; return true;
      case 'r': into += '\r'; return true;
      case 't': into += '\t'; return true;
      case 'u': return read_code_point(into);
      default: return false;
    }
  }

  // The four digits behind \u, and a second escape for what lies above U+FFFF.
  bool read_code_point(std::string& into) {
    char32_t unit = 0;
    if (!read_unit(unit)) return false;
    if (unit >= 0xD800 && unit < 0xDC00 && left_.starts_with("\\u")) {
      left_.remove_prefix(2);
      char32_t low = 0;
      if (!read_unit(low) || low < 0xDC00 || low > 0xDFFF) return false;
      unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    }
    if (unit >= 0xD800 && unit < 0xE000) unit = 0xFFFD;
    append_utf8(into, unit);
    return true;
  }

  bool read_unit(char32_t& unit) {
    std::uint32_t value = 0;
    if (left_.size() < 4) return false;
    const auto [stop, error] = std::from_chars(left_.data(), left_.data() + 4, value, 16);
    if (error != std::errc() || stop != left_.data() + 4) return false;
    unit = value;
    left_.remove_prefix(4);
    return true;
  }

  std::string_view left_;
};

}  // namespace

std::optional<std::uint64_t> JsonMember::as_number() const {
  std::uint64_t number = 0;
  const char* const end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

Result<std::vector<JsonMember>> read_json_object(std::string_view line) {
  std::vector<JsonMember> members;
  if (!ObjectReader(line).read(members)) return fail(Errc::malformed, "not a JSON object");
  return members;
}

}  // namespace gossamer::site
