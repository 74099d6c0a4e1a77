// The links of a document with the places where they stand, and what links to it may name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "html/links/link.h"

namespace gossamer::check {

// Where something stands in a document, for people: from 1 on, columns in characters.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;

  friend bool operator==(const Position&, const Position&) = default;
};

// A link that leads somewhere, or a part of the page.
struct LinkPlace {
  Position at;
  html::LinkKind kind = html::LinkKind::page;
  std::string url;   // as it stands there, references and escapes replaced
  std::string text;  // of the anchor, one space between words; empty: it has none
};

struct Document {
  std::vector<LinkPlace> links;     // in the order of the document
  std::optional<std::string> base;  // <base href>
  std::vector<std::string> ids;     // what a fragment may be: id, and name of <a>
  std::size_t links_left_out = 0;
};

// BOUND: what one document may make us hold.
inline constexpr std::size_t kLinksMax = 50'000;
inline constexpr std::size_t kIdsMax = 200'000;
inline constexpr std::size_t kLinkTextBytesMax = 120;

// Reads a document in steps, so that other work has its turn in between.
class DocumentSteps {
 public:
  virtual ~DocumentSteps() = default;
  // Reads on, about so many bytes. True: that was all.
  virtual bool read_some(std::size_t bytes) = 0;
  // REQUIRES: all was read.
  Document take() { return std::move(document_); }

 protected:
  Document document_;
};

// BOUND: a caller that must not hold a loop for long reads at most so much in one step.
inline constexpr std::size_t kDocumentStepBytes = 256 * 1024;

// BORROWS: the text, UTF-8.
std::unique_ptr<DocumentSteps> html_steps(std::string_view text);
std::unique_ptr<DocumentSteps> xml_steps(std::string_view text);
std::unique_ptr<DocumentSteps> css_steps(std::string_view text);

// The ways to read a document. All are given UTF-8, and fail at nothing.
Document read_html(std::string_view text);
// Feeds, sitemaps, any other XML.
Document read_xml(std::string_view text);
Document read_css(std::string_view text);
// CommonMark with GitHub's tables, bare addresses and ids of headings. Code is no text; HTML in it
// counts.
Document read_markdown(std::string_view text);
// reStructuredText: embedded links, targets, images, bare addresses. Literal blocks are no text.
Document read_restructured_text(std::string_view text);
// One URL a line; what begins with # is a comment.
Document read_url_list(std::string_view text);
// Any other text: addresses that stand in it as they are.
Document read_plain_text(std::string_view text);

// A link that is worth to be asked for: not where a form is sent to, nor what only machines want.
bool is_checked(const html::Link& link) noexcept;

}  // namespace gossamer::check
