#include "tests/support/xml_escaper.h"

#include <algorithm>
#include <array>
#include <utility>

#include "robots/xml_reference.h"

namespace gossamer::robots {
namespace {

constexpr std::string_view kComment = "<!--";
constexpr std::string_view kCdata = "<![CDATA[";
constexpr std::string_view kDocumentType = "<!DOCTYPE";

}  // namespace

void XmlEscaper::escape(std::string_view bytes, bool is_final, std::string& out) {
  std::string joined = std::exchange(held_, {});
  if (!joined.empty()) bytes = joined.append(bytes);
  rest_ = bytes;
  bool goes_on = true;
  while (goes_on && !rest_.empty()) {
    goes_on = mode_ == Mode::content ? take_content(is_final, out) : take_section(is_final, out);
  }
  held_ = rest_;
  rest_ = {};
}

void XmlEscaper::pass(std::size_t size, std::string& out) {
  out.append(rest_.substr(0, size));
  rest_.remove_prefix(size);
}

bool XmlEscaper::take_content(bool is_final, std::string& out) {
  pass(std::min(rest_.find_first_of("&<"), rest_.size()), out);
  if (rest_.empty()) return false;
  return rest_.front() == '<' ? take_markup(is_final, out) : take_ampersand(is_final, out);
}

// Only markup that changes the meaning of an ampersand matters.
bool XmlEscaper::take_markup(bool is_final, std::string& out) {
  for (const std::string_view mark : {kComment, kCdata, kDocumentType}) {
    if (!is_final && rest_.size() < mark.size() && mark.starts_with(rest_)) return false;
    if (!rest_.starts_with(mark)) continue;
    if (mark == kComment) mode_ = Mode::comment;
    if (mark == kCdata) mode_ = Mode::cdata;
    if (mark == kDocumentType) has_document_type_ = true;
    pass(mark.size(), out);
    return true;
  }
  pass(1, out);
  return true;
}

bool XmlEscaper::take_ampersand(bool is_final, std::string& out) {
  const XmlReference reference = read_reference(rest_);
  if (reference.kind == ReferenceKind::unfinished && !is_final) return false;
  if (reference.kind == ReferenceKind::character) {
    pass(reference.size, out);
  } else if (reference.kind == ReferenceKind::entity && has_document_type_) {
    out += "&#x10FFFD;";
    rest_.remove_prefix(reference.size);
  } else {
    out += "&amp;";
    rest_.remove_prefix(1);
  }
  return true;
}

// Skips comments and CDATA sections, in which an ampersand is literal.
bool XmlEscaper::take_section(bool is_final, std::string& out) {
  const std::string_view end_mark = mode_ == Mode::comment ? "-->" : "]]>";
  const std::size_t end = rest_.find(end_mark);
  if (end != std::string_view::npos) {
    mode_ = Mode::content;
    pass(end + end_mark.size(), out);
    return true;
  }
  const std::size_t held = is_final ? 0 : std::min(rest_.size(), end_mark.size() - 1);
  pass(rest_.size() - held, out);
  return false;
}

}  // namespace gossamer::robots
