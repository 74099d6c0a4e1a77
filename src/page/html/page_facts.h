// The metadata of a page.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "html/token/token.h"

namespace gossamer::html {

struct PageFacts {
  // <meta name=robots content=noindex>, or with the name of one crawler.
  struct RobotsRule {
    std::string agent;  // in lower case; "robots" means all
    std::string content;
  };
  // <link rel=alternate hreflang=de href=...>
  struct Translation {
    std::string language;
    std::string href;
  };
  // <meta property=og:title content=...>; also twitter:, article: and the like.
  struct Property {
    std::string name;
    std::string content;
  };

  bool has_title = false;
  std::string title;        // of the first <title>, white space collapsed
  std::string description;  // <meta name=description>
  std::string canonical;    // href of the first <link rel=canonical>, not resolved
  std::string language;     // <html lang>, else <meta http-equiv=content-language>
  std::vector<RobotsRule> robots;
  std::vector<Translation> translations;
  std::vector<Property> properties;
  std::vector<std::string> json_ld;   // the texts of <script type=application/ld+json>
  std::vector<std::string> headings;  // of <h1>, white space collapsed
};

// BOUND: how much one page can make us hold.
struct FactLimits {
  std::size_t text_bytes_max = 4096;        // each text, except
  std::size_t json_ld_bytes_max = 1 << 20;  // all JSON-LD together; longer texts are left out
  std::size_t entries_max = 512;            // of each list
};

// Collects the facts. Part of PageReader, which calls it for each tag and text that it is
// interested in.
class FactScanner {
 public:
  explicit FactScanner(const FactLimits& limits) : limits_(limits) {}

  static void add_interest(Interest& interest);

  void start_tag(const Tag& tag);
  void end_tag(const Tag& tag);
  // Receives text inside <h1>.
  void text(std::string_view piece);
  // Receives the text of a <title> or of a <script type=application/ld+json>.
  void title_text(std::string_view text);
  void json_ld_text(std::string_view text);
  void finish() { end_heading(); }

  bool wants_text() const noexcept { return in_heading_; }
  const PageFacts& facts() const noexcept { return facts_; }
  PageFacts take() { return std::move(facts_); }

 private:
  void meta(const Tag& tag);
  void link(const Tag& tag);
  void end_heading();
  void set_once(std::string& fact, std::string_view value) const;
  std::string bounded(std::string_view value) const;

  FactLimits limits_;
  PageFacts facts_;
  bool has_canonical_ = false;
  bool in_heading_ = false;
  std::size_t json_ld_bytes_ = 0;
  std::string heading_;
};

}  // namespace gossamer::html
