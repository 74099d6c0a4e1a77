#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace gossamer::check {

// The ids that GitHub (and GitLab, and most Markdown renderers) give to headings, in their order:
// "What's new?" is whats-new, and the second of that name whats-new-1.
class HeadingIds {
 public:
  std::string next(std::string_view heading);

 private:
  std::unordered_map<std::string, std::uint32_t> times_;
};

}  // namespace gossamer::check
