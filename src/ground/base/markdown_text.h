// Text from outside in Markdown, as GitHub and GitLab render it.
#pragma once

#include <string>
#include <string_view>

namespace gossamer::base {

// Returns text as a code span, in which nothing is special: no links, no mentions, no bar that ends
// a cell. BOUND: the first 300 bytes.
std::string code_span(std::string_view text);
// Returns a link that shows its URL, or a code span if the URL is not http or https or has more
// than 300 bytes.
std::string markdown_link(std::string_view url);

}  // namespace gossamer::base
