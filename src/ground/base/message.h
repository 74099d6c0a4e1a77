// Messages for CHECK and LOG: a format string in fmt's syntax and a few arguments, without <fmt/*>
// in the header. Arguments are borrowed and type-erased; one .cc file formats them.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace gossamer::base {

// One argument: a number, bool, char, text or pointer. Convert other types to text at the call.
// BORROWS: text is viewed, not copied; an Arg must not outlive the call it is made for.
class Arg {
 public:
  enum class Kind : std::uint8_t { integer, natural, real, boolean, character, text, pointer };

  explicit(false) Arg(bool value) noexcept : kind_(Kind::boolean), boolean_(value) {}
  explicit(false) Arg(char value) noexcept : kind_(Kind::character), character_(value) {}
  template <std::signed_integral T>
  explicit(false) Arg(T value) noexcept : kind_(Kind::integer), integer_(value) {}
  template <std::unsigned_integral T>
  explicit(false) Arg(T value) noexcept : kind_(Kind::natural), natural_(value) {}
  explicit(false) Arg(float value) noexcept : Arg(static_cast<double>(value)) {}
  explicit(false) Arg(double value) noexcept : kind_(Kind::real), real_(value) {}
  explicit(false) Arg(std::string_view value) noexcept : kind_(Kind::text), text_(value) {}
  explicit(false) Arg(const std::string& value) noexcept : Arg(std::string_view(value)) {}
  explicit(false) Arg(const char* value) noexcept
      : Arg(value == nullptr ? std::string_view("(null)") : std::string_view(value)) {}
  explicit(false) Arg(std::nullptr_t) noexcept : Arg(static_cast<const void*>(nullptr)) {}
  explicit(false) Arg(const void* value) noexcept : kind_(Kind::pointer), pointer_(value) {}

  // Calls `visit` with the value in its own type.
  template <class Visit>
  void visit(Visit&& visit) const {
    switch (kind_) {
      case Kind::integer: return visit(integer_);
      case Kind::natural: return visit(natural_);
      case Kind::real: return visit(real_);
      case Kind::boolean: return visit(boolean_);
      case Kind::character: return visit(character_);
      case Kind::text: return visit(text_);
      case Kind::pointer: return visit(pointer_);
    }
  }

 private:
  Kind kind_;
  union {
    std::int64_t integer_;
    std::uint64_t natural_;
    double real_;
    bool boolean_;
    char character_;
    std::string_view text_;
    const void* pointer_;
  };
};

// A format string known at compile time with exactly `count` places "{}" or "{:spec}"; anything
// else does not compile. Specs are fmt's. A spec that does not fit its argument shows up as a note
// in the message; it never throws.
template <std::size_t count>
class MessageFormat {
 public:
  explicit(false) consteval MessageFormat(const char* text) : text_(text) {
    if (count_places(text_) != count) reject("number of places and of arguments differ");
  }
  std::string_view text() const noexcept { return text_; }

 private:
  static void reject(const char*) {}  // not constexpr: reaching it is the compile error

  static consteval std::size_t count_places(std::string_view text) {
    std::size_t places = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '{' && text[i] != '}') continue;
      if (i + 1 < text.size() && text[i + 1] == text[i]) {
        ++i;  // "{{" and "}}" are escapes
        continue;
      }
      if (text[i] == '}') reject("a lone }");
      const std::size_t end = text.find('}', i);
      if (end == std::string_view::npos) reject("a lone {");
      if (end != i + 1 && text[i + 1] != ':') reject("only {} and {:spec}");
      ++places;
      i = end;
    }
    return places;
  }

  std::string_view text_;
};

// Returns the finished text. Throws only if memory runs out.
std::string format_message(std::string_view format, std::initializer_list<Arg> args);

}  // namespace gossamer::base
