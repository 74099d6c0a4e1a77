// Chooses the part of a text that shows why it was found.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "index/query_words.h"
#include "index/search_results.h"
#include "index/sections.h"

namespace gossamer::index {

// BOUND: bytes of a text that are read for a snippet. The rest of a long text is read only if
// nothing matches before it.
inline constexpr std::size_t kSnippetTextBytes = 64 * 1024;

// Returns about `bytes` of the text with as many words of the query as possible; without any, the
// beginning. An ellipsis shows where it was cut. Only whole phrases are marked. The text is UTF-8.
MarkedText make_snippet(std::string_view text, const QueryWords& words, QueryWords::Matcher matcher,
                        std::size_t bytes);

// The part of a page that fits a query best.
struct BestSection {
  const Section* section = nullptr;  // nullptr: the page as a whole
  MarkedText snippet;
  int heading_words = 0;  // of the query, in one heading
  int passage_words = 0;  // of the query, close together
};
// Sections count by the words of the query in them, and again by those in their headings. The
// snippet is from the section, without its heading. Of a long text, only the headings are read
// further. BORROWS: the sections, which are places in the first `main_bytes` of the text.
BestSection find_best_section(std::string_view text, std::size_t main_bytes,
                              const std::vector<Section>& sections, const QueryWords& words,
                              const QueryWords::Matcher& matcher, std::size_t bytes);

// Returns a whole text with its marks.
MarkedText mark_all(std::string_view text, const QueryWords& words, QueryWords::Matcher matcher);

}  // namespace gossamer::index
