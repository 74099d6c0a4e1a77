#include "base/ascii.h"
#include "check/markdown_blocks.h"
#include "html/token/character_reference.h"

namespace gossamer::check {
namespace {

constexpr std::string_view kPunctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
constexpr int kNestedMax = 32;

bool is_control(char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7F'; }

Destination read_bracketed(std::string_view text, std::size_t at) {
  for (std::size_t i = at + 1; i < text.size() && text[i] != '\n' && text[i] != '<'; ++i) {
    if (text[i] == '>') return {text.substr(at + 1, i - at - 1), i + 1};
    if (text[i] == '\\') ++i;
  }
  return {};
}

}  // namespace

std::string normal_label(std::string_view label) {
  std::string normal;
  bool is_apart = false;
  for (const char c : label) {
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      is_apart = !normal.empty();
      continue;
    }
    if (is_apart) normal += ' ';
    is_apart = false;
    normal += base::to_lower(c);
  }
  return normal;
}

std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = text[i] == '\\' && i + 1 < text.size() &&
                           kPunctuation.find(text[i + 1]) != std::string_view::npos;
    if (is_escape) ++i;
    plain += text[i];
  }
  std::string decoded;
  html::append_decoded(plain, true, decoded);
  return decoded;
}

Destination read_destination(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {};
  if (text[at] == '<') return read_bracketed(text, at);
  int open = 0;
  std::size_t i = at;
  for (; i < text.size() && !is_control(text[i]); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && !is_control(text[i + 1])) {
      ++i;
    } else if (text[i] == '(') {
      if (++open > kNestedMax) return {};
    } else if (text[i] == ')') {
      if (open == 0) break;
      --open;
    }
  }
  if (open != 0) return {};
  return {text.substr(at, i - at), i};
}

}  // namespace gossamer::check
