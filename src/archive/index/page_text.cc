#include "index/page_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "content/content_text.h"
#include "content/language.h"
#include "content/main_content.h"
#include "dom/parse.h"
#include "html/encoding/stream.h"
#include "html/page_reader.h"
#include "url/percent.h"

namespace gossamer::index {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\f\v";
// BOUND: of the tree of one page.
constexpr std::size_t kNodesMax = 256 * 1024;

class VisibleText final : public html::PageConsumer {
 public:
  void text(std::string_view piece) override {
    if (all_.size() < kIndexedTextBytesMax) all_ += piece;
  }
  const std::string& all() const { return all_; }

 private:
  std::string all_;
};

// Cuts between characters.
void cut(std::string& text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return;
  std::size_t end = bytes_max;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  text.resize(end);
}

std::string decoded(std::string_view body, std::string_view charset, html::DocumentKind kind) {
  html::DecodingStream decoder(
      {.kind = kind, .transport = html::encoding_from_label(std::string(charset))});
  std::string scratch;
  std::string text(decoder.decode(body, scratch));
  text += decoder.finish(scratch);
  return text;
}

template <class Use>
void for_each_line(std::string_view text, Use use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = base::trimmed(text.substr(0, end), kBlanks);
    if (!line.empty()) use(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// Both texts come from the same page with one line per block, so equal lines are the same block.
std::string lines_without(std::string_view all, std::string_view known) {
  struct Line {
    std::uint64_t hash;
    std::size_t place;
    std::string_view text;
  };
  std::vector<Line> lines;
  const auto add = [&lines](std::string_view line) {
    lines.push_back({base::hash64(line), lines.size(), line});
  };
  for_each_line(known, add);
  const std::size_t known_lines = lines.size();
  for_each_line(all, add);
  // The first of equal lines stays.
  std::ranges::sort(lines, {}, [](const Line& line) { return std::pair(line.hash, line.place); });
  const auto repeated = std::ranges::unique(lines, {}, &Line::hash);
  lines.erase(repeated.begin(), repeated.end());
  std::erase_if(lines, [known_lines](const Line& line) { return line.place < known_lines; });
  std::ranges::sort(lines, {}, &Line::place);
  std::string rest;
  for (const Line& line : lines) rest.append(line.text).append("\n");
  return rest;
}

// Returns "en" for "en-GB"; empty for other texts.
std::string primary_language(std::string_view tag) {
  std::string code = base::lower_case(tag.substr(0, tag.find_first_of("-_, ")));
  const bool is_code =
      (code.size() == 2 || code.size() == 3) && std::ranges::all_of(code, base::is_letter);
  return is_code ? code : std::string();
}

std::string file_title(const url::Url& url) {
  std::string_view path = url.pathname();
  while (path.ends_with('/')) path.remove_suffix(1);
  path.remove_prefix(std::min(path.rfind('/') + 1, path.size()));
  std::string name = url::percent_decoded(path);
  return name.empty() ? std::string(url.host()) : name;
}

std::string one_line(std::string_view text) {
  std::string line;
  bool has_gap = false;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) <= ' ' || c == '\x7F') {
      has_gap = !line.empty();
      continue;
    }
    if (std::exchange(has_gap, false)) line += ' ';
    line += c;
  }
  return line;
}

void finish(PageText& page, std::string_view declared, const url::Url& url) {
  cut(page.main, kIndexedTextBytesMax);
  cut(page.rest, kIndexedTextBytesMax - page.main.size());
  page.title = one_line(page.title);
  if (page.title.empty()) page.title = one_line(file_title(url));
  cut(page.title, kIndexedTitleBytesMax);
  const std::string_view text = page.main.empty() ? page.rest : page.main;
  page.language = content::detect_language(text);
  if (page.language.empty()) page.language = primary_language(declared);
  page.sketch = content::text_sketch(text);
}

PageText read_html(std::string_view body, std::string_view charset, const url::Url& url) {
  const std::string page = decoded(body, charset, html::DocumentKind::html);
  VisibleText visible;
  html::PageReader reader({.links = false, .facts = true, .text = true}, visible);
  reader.feed(page);
  reader.finish();
  const html::PageFacts& facts = reader.facts();
  const dom::Document document = dom::parse(page, {.nodes_max = kNodesMax});
  PageText text;
  text.main = content::to_text(content::find_main_content(document), kIndexedTextBytesMax);
  text.rest = lines_without(visible.all(), text.main);
  if (!facts.description.empty()) text.rest += one_line(facts.description) + "\n";
  text.title = facts.title;
  if (text.title.empty() && !facts.headings.empty()) text.title = facts.headings.front();
  finish(text, facts.language, url);
  text.sections = find_sections(document, text.main);
  return text;
}

PageText read_plain(std::string_view body, std::string_view charset, const url::Url& url) {
  PageText text;
  text.main = decoded(body, charset, html::DocumentKind::text);
  finish(text, {}, url);
  return text;
}

bool looks_like_html(std::string_view bytes) {
  bytes.remove_prefix(std::min(bytes.find_first_not_of(" \t\r\n\f\xEF\xBB\xBF"), bytes.size()));
  return bytes.starts_with('<') && !bytes.starts_with("<?xml");
}

}  // namespace

TextKind text_kind(std::string_view mime, std::string_view first_bytes) {
  if (mime.empty()) return looks_like_html(first_bytes) ? TextKind::html : TextKind::none;
  if (mime == "text/html" || mime == "application/xhtml+xml") return TextKind::html;
  constexpr auto kPlain = std::to_array<std::string_view>(
      {"text/plain", "text/markdown", "text/x-markdown", "text/x-rst", "text/csv"});
  if (std::ranges::find(kPlain, mime) != kPlain.end()) return TextKind::plain;
  constexpr auto kDocuments = std::to_array<std::string_view>(
      {"application/pdf", "application/epub+zip", "application/msword", "application/postscript",
       "application/rtf"});
  const bool is_document = std::ranges::find(kDocuments, mime) != kDocuments.end() ||
                           mime.starts_with("application/vnd.openxmlformats-officedocument.") ||
                           mime.starts_with("application/vnd.oasis.opendocument.");
  return is_document ? TextKind::document : TextKind::none;
}

PageText read_page_text(TextKind kind, std::string_view body, std::string_view charset,
                        const url::Url& url) {
  body = body.substr(0, kIndexedPageBytesMax);
  if (kind == TextKind::html) return read_html(body, charset, url);
  if (kind == TextKind::plain) return read_plain(body, charset, url);
  PageText text;
  finish(text, {}, url);
  return text;
}

std::string joined_text(const PageText& text) {
  const bool has_both = !text.main.empty() && !text.rest.empty();
  return text.main + (has_both ? "\n" : "") + text.rest;
}

TextParts split_text(std::string_view joined, std::size_t main_bytes) noexcept {
  TextParts parts = {joined.substr(0, main_bytes), joined.substr(main_bytes)};
  if (main_bytes > 0 && !parts.rest.empty()) parts.rest.remove_prefix(1);
  return parts;
}

std::string url_words(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme != std::string_view::npos) url.remove_prefix(scheme + 3);
  return url::percent_decoded(url);
}

std::string site_key(std::string_view host, std::string_view port) {
  std::string key;
  const std::string_view last = host.substr(host.rfind('.') + 1);
  const bool is_address =
      host.starts_with('[') || (!last.empty() && std::ranges::all_of(last, base::is_digit));
  if (is_address) {
    key.append(host).append(",");
  } else {
    while (!host.empty()) {
      const std::size_t dot = host.rfind('.');
      const std::size_t begin = dot == std::string_view::npos ? 0 : dot + 1;
      key.append(host.substr(begin)).append(",");
      host = host.substr(0, dot == std::string_view::npos ? 0 : dot);
    }
  }
  if (!port.empty()) key.append(":").append(port).append(",");
  return key;
}

}  // namespace gossamer::index
