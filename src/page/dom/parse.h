// Makes a tree of a page, exactly as the HTML Standard prescribes.
// https://html.spec.whatwg.org/#tree-construction
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "dom/document.h"

namespace gossamer::dom {

struct ParseOptions {
  // Whether the page is read like in a browser that runs scripts: <noscript> then contains text,
  // not markup.
  bool scripting = false;
  // BOUND: the tree ends with the token that exceeds one of these.
  std::size_t nodes_max = std::size_t{2} * 1024 * 1024;
  std::size_t bytes_max = std::size_t{256} * 1024 * 1024;
  // BOUND: the rest of a longer page is not read.
  std::size_t page_bytes_max = std::size_t{1024} * 1024 * 1024;
};

// BOUND: the levels of a tree. Elements have kDepthMax of them. The content of a template is a
// level of its own, formatting elements that are closed in the wrong order move into the deepest
// elements, and text comes last.
inline constexpr std::size_t kLevelsMax = 2 * kDepthMax + 128 + 2;

// `page` is UTF-8. BORROWS: the page, for as long as the document is used.
Document parse(std::string_view page, const ParseOptions& options = {});
// A temporary text would be gone.
template <std::same_as<std::string> Temporary>
Document parse(Temporary&& page, const ParseOptions& options = {}) = delete;

// The same in several steps, for callers that must not block: a page of megabytes may take long.
class PageParser {
 public:
  // BORROWS: the page, for as long as the document is used.
  explicit PageParser(std::string_view page, const ParseOptions& options = {});
  ~PageParser();
  PageParser(const PageParser&) = delete;
  PageParser& operator=(const PageParser&) = delete;

  // Reads the next bytes of the page. Returns true at its end. REQUIRES: it did not return true.
  bool parse_some(std::size_t bytes);
  // REQUIRES: parse_some() returned true. Call it once.
  Document take();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The element that a fragment is parsed in.
struct Context {
  Space space = Space::html;
  std::string_view name = "body";  // in lower case, or for SVG in its own case
  std::string_view encoding;       // the attribute of <annotation-xml>, if it has one
  Quirks quirks = Quirks::none;
};

// Parses what could be inside an element. The nodes are the children of an element `html`, which is
// the child of the root.
// https://html.spec.whatwg.org/#parsing-html-fragments
// BORROWS: the page, for as long as the document is used.
Document parse_fragment(std::string_view page, const Context& context,
                        const ParseOptions& options = {});
template <std::same_as<std::string> Temporary>
Document parse_fragment(Temporary&& page, const Context& context,
                        const ParseOptions& options = {}) = delete;

}  // namespace gossamer::dom
