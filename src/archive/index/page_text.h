// The part of a page that is searched.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "content/text_sketch.h"
#include "index/sections.h"
#include "url/url.h"

namespace gossamer::index {

// BOUND: bytes of a page that are read, and bytes of its text that are indexed.
inline constexpr std::size_t kIndexedPageBytesMax = 4 * 1024 * 1024;
inline constexpr std::size_t kIndexedTextBytesMax = 256 * 1024;
inline constexpr std::size_t kIndexedTitleBytesMax = 1024;

// Texts are UTF-8.
struct PageText {
  std::string title;              // of the page; else a heading, else the name of its file
  std::string language;           // detected, else as declared: "en"; empty: not known
  std::string main;               // the text that a reader came for (content/main_content.h)
  std::string rest;               // all other visible text, line by line
  std::vector<Section> sections;  // of the main text
  // Of the main text, or of all text if that is empty; nullptr: it is short.
  std::shared_ptr<const content::TextSketch> sketch;
};

// Which responses are indexed.
enum class TextKind : unsigned char {
  none,  // not at all: images, scripts, style sheets
  html,
  plain,
  document,  // only its URL: a PDF
};
// `mime` is in lower case, without parameters; empty: the first bytes decide.
TextKind text_kind(std::string_view mime, std::string_view first_bytes);

// Reads a page. `charset` is the label of the Content-Type header, or empty.
// REQUIRES: `kind` is not none. Time is linear in the size of the body.
PageText read_page_text(TextKind kind, std::string_view body, std::string_view charset,
                        const url::Url& url);

// How both texts are stored as one: the rest begins on a new line.
std::string joined_text(const PageText& text);
struct TextParts {
  std::string_view main;
  std::string_view rest;
};
// Takes a joined text apart. BORROWS: the text. REQUIRES: `main_bytes` are not more than it has.
TextParts split_text(std::string_view joined, std::size_t main_bytes) noexcept;

// Returns the words of a URL: its host, path and query without escapes.
std::string url_words(std::string_view url);

// Returns the host from the top-level domain down, with the port if it is not the usual one:
// "com,example,www,". The keys of all hosts below a host begin with its key.
std::string site_key(std::string_view host, std::string_view port = {});

}  // namespace gossamer::index
