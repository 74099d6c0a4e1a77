// The links of a document with their positions, and the fragments that links to it can name.
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

// A position in a document, for people: lines and columns from 1, columns in characters.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;

  friend bool operator==(const Position&, const Position&) = default;
};

// A link, or a resource that the page loads.
struct LinkPlace {
  Position at;
  html::LinkKind kind = html::LinkKind::page;
  std::string url;   // as written, with references and escapes decoded
  std::string text;  // of the anchor, with single spaces; empty if there is none
};

struct Document {
  std::vector<LinkPlace> links;      // in document order
  std::optional<std::string> base;   // <base href>
  std::vector<std::string> ids;      // valid fragments: id, and name of <a>
  std::vector<std::uint32_t> words;  // of the visible text of HTML, if kept: WordHashes
  std::size_t links_left_out = 0;
};

// BOUND: how much one document can make us hold.
inline constexpr std::size_t kLinksMax = 50'000;
inline constexpr std::size_t kIdsMax = 200'000;
inline constexpr std::size_t kWordsMax = 200'000;
inline constexpr std::size_t kLinkTextBytesMax = 120;

// Reads a document in steps, so that other work can run in between.
class DocumentSteps {
 public:
  virtual ~DocumentSteps() = default;
  // Reads about this many bytes more. Returns true when done.
  virtual bool read_some(std::size_t bytes) = 0;
  // REQUIRES: the whole document was read.
  Document take() { return std::move(document_); }

 protected:
  Document document_;
};

// BOUND: a caller that must not block a loop reads at most this much in one step.
inline constexpr std::size_t kDocumentStepBytes = 256 * 1024;

// Whether the words of an HTML document are kept. Then reading takes half as long again.
enum class Words : std::uint8_t { dropped, kept };

// BORROWS: the text, UTF-8.
std::unique_ptr<DocumentSteps> html_steps(std::string_view text, Words words = Words::dropped);
std::unique_ptr<DocumentSteps> xml_steps(std::string_view text);
std::unique_ptr<DocumentSteps> css_steps(std::string_view text);

// What counts as a link in Markdown.
struct MarkdownRules {
  bool has_wikilinks = false;  // [[Page]], [[Page#Heading]] and [[Page|text]]
  bool reads_code = false;     // URLs in code blocks and code spans
};

// The readers of documents. All take UTF-8 and never fail.
Document read_html(std::string_view text, Words words = Words::dropped);
// Feeds, sitemaps, any other XML.
Document read_xml(std::string_view text);
Document read_css(std::string_view text);
// CommonMark with GitHub's tables, bare URLs and ids of headings. Code is ignored; HTML counts.
Document read_markdown(std::string_view text, const MarkdownRules& rules = {});
// reStructuredText: embedded links, targets, images, bare URLs. Literal blocks are ignored.
Document read_restructured_text(std::string_view text);
// One URL per line; lines that begin with # are comments.
Document read_url_list(std::string_view text);
// Any other text: the URLs in it.
Document read_plain_text(std::string_view text);

// Returns whether a link is worth checking: not the target of a form, nor links for machines only.
bool is_checked(const html::Link& link) noexcept;

}  // namespace gossamer::check
