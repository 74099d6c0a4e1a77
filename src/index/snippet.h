// Chooses the part of a text that shows why it was found.
#pragma once

#include <cstddef>
#include <string_view>

#include "index/query_words.h"
#include "index/search_results.h"

namespace gossamer::index {

// BOUND: bytes of a text that are read for a snippet. The rest of a long text is read only if
// nothing matches before it.
inline constexpr std::size_t kSnippetTextBytes = 64 * 1024;

// Returns about `bytes` of the text with as many words of the query as possible; without any, the
// beginning. An ellipsis shows where it was cut. Only whole phrases are marked. The text is UTF-8.
MarkedText make_snippet(std::string_view text, const QueryWords& words, QueryWords::Matcher matcher,
                        std::size_t bytes);

// Returns a whole text with its marks.
MarkedText mark_all(std::string_view text, const QueryWords& words, QueryWords::Matcher matcher);

}  // namespace gossamer::index
