// Text from outside in Markdown, as GitHub and GitLab read it.
#pragma once

#include <string>
#include <string_view>

namespace gossamer::base {

// Text as a code span, in which nothing has a meaning: neither links nor mentions nor the bar that
// ends a cell. BOUND: the first 300 bytes.
std::string code_span(std::string_view text);
// A link that shows its URL; a code span unless it is http or https and has at most 300 bytes.
std::string markdown_link(std::string_view url);

}  // namespace gossamer::base
