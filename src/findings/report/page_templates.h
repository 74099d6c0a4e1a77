// Which pages one template probably makes, by their URLs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gossamer::report {

// Returns the URL without its query, with a star instead of the last segment of the path (but its
// extension remains) and of those that contain a digit: "https://a.example/shop/*" for
// "https://a.example/shop/kettle?size=2". Readers look for the template in their site, so it keeps
// the scheme, the extension and every folder; crawler::pattern_of() forgets them to learn from few
// pages.
std::string template_of(std::string_view url);

struct TemplateRow {
  std::string pattern;
  std::uint64_t pages = 0;
};

// Counts pages by template.
//
// BOUND: kTemplatesCounted, and kTemplateBytesMax each. Further ones are not listed.
class PageTemplates {
 public:
  static constexpr std::size_t kTemplatesCounted = 1000;
  static constexpr std::size_t kTemplateBytesMax = 200;
  static constexpr std::size_t kTemplatesListed = 5;

  void add(std::string_view url);
  // Returns those of several pages, the most frequent first.
  std::vector<TemplateRow> finish() const;

 private:
  std::unordered_map<std::string, std::uint64_t> pages_;
};

}  // namespace gossamer::report
