#include "html/text_scanner.h"

#include <array>

#include "html/token/collapse.h"

namespace gossamer::html {
namespace {

enum class Layout : std::uint8_t { inline_, block, cell, preformatted };

constexpr auto kLayouts = [] {
  std::array<Layout, kTagNames.size()> layouts = {};
  const auto set = [&layouts](Layout layout, auto... ids) {
    ((layouts[static_cast<std::size_t>(ids)] = layout), ...);
  };
  using enum TagId;
  set(Layout::block, address, article, aside, blockquote, body, br, caption, center, dd, details,
      dialog, dir, div, dl, dt, fieldset, figcaption, figure, footer, form, frameset, h1, h2, h3,
      h4, h5, h6, header, hgroup, hr, html, head, legend, li, main, menu, nav, ol, optgroup, option,
      p, plaintext, search, section, select, summary, table, tbody, tfoot, thead, title, tr, ul,
      iframe, button);
  set(Layout::cell, td, th);
  set(Layout::preformatted, pre, listing, textarea, xmp);
  return layouts;
}();

Layout layout_of(TagId id) noexcept { return kLayouts[static_cast<std::size_t>(id)]; }

}  // namespace

void TextScanner::add_interest(Interest& interest) {
  for (std::size_t i = 0; i < kLayouts.size(); ++i) {
    if (kLayouts[i] != Layout::inline_) interest.tags[i].start = interest.tags[i].end = true;
  }
}

void TextScanner::boundary(TagId id) noexcept {
  const Layout layout = layout_of(id);
  if (layout == Layout::inline_) return;
  widen(layout == Layout::cell ? Gap::tab : Gap::line);
}

void TextScanner::start_tag(const Tag& tag) {
  boundary(tag.id);
  if (layout_of(tag.id) == Layout::preformatted) ++pre_depth_;
}

void TextScanner::end_tag(const Tag& tag) {
  boundary(tag.id);
  if (layout_of(tag.id) == Layout::preformatted && pre_depth_ > 0) --pre_depth_;
}

void TextScanner::text(std::string_view piece) {
  if (pre_depth_ > 0) {
    preformatted(piece);
  } else {
    collapsed(piece);
  }
  if (out_.size() >= kPieceBytes) flush();
}

// Runs of words with single spaces between them are copied together.
void TextScanner::collapsed(std::string_view piece) {
  for (std::size_t at = 0; at < piece.size();) {
    if (static_cast<unsigned char>(piece[at]) <= ' ') {
      if (piece[at] != '\0') widen(Gap::space);
      ++at;
      continue;
    }
    const std::size_t end = end_of_words(piece, at);
    close_gap();
    out_.append(piece, at, end - at);
    at = end;
  }
}

void TextScanner::preformatted(std::string_view piece) {
  for (const char c : piece) {
    if (c == '\0') continue;
    // The line feed directly after <pre>, and those before its end, belong to the markup.
    if (c == '\n' && (gap_ == Gap::line || !has_text_)) continue;
    if (gap_ != Gap::none) close_gap();
    out_.push_back(c);
    has_text_ = true;
  }
}

void TextScanner::close_gap() {
  if (has_text_) {
    switch (gap_) {
      case Gap::none: break;
      case Gap::space: out_.push_back(' '); break;
      case Gap::tab: out_.push_back('\t'); break;
      case Gap::line: out_.push_back('\n'); break;
    }
  }
  gap_ = Gap::none;
  has_text_ = true;
}

void TextScanner::flush() {
  if (!out_.empty()) consumer_.text(out_);
  out_.clear();
}

}  // namespace gossamer::html
