// Reads a robots.txt line by line into a Robots.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "robots/robots.h"

namespace gossamer::robots {

class RobotsParser {
 public:
  RobotsParser(std::string_view agent, const RobotsOptions& options)
      : agent_(product_token(agent)), options_(options) {}

  void read(std::string_view bytes);
  Robots finish() &&;

 private:
  // A rule before it is known to be needed. BORROWS: from the file.
  struct Draft {
    std::string_view pattern;
    std::uint32_t line;
    bool allows;
  };
  // The rules of the file for one addressee.
  struct Part {
    std::vector<Draft> rules;
    std::optional<Duration> crawl_delay;
    bool is_named = false;     // in some User-agent line
    bool takes_rules = false;  // the current group is for it
    bool takes_delay = false;
  };

  void read_line(std::string_view line, std::uint32_t number);
  void read_user_agent(std::string_view value);
  void read_rule(std::string_view pattern, std::uint32_t line, bool allows);
  void read_crawl_delay(std::string_view value);
  void read_sitemap(std::string_view value);

  static void append_rule(const Draft& draft, std::string_view pattern, bool is_anchored,
                          Robots& robots);
  static void append_draft(const Draft& draft, Robots& robots);
  static void sort_rules(Robots& robots);

  std::string_view agent_;
  RobotsOptions options_;
  Part own_;
  Part all_;
  bool has_rules_ = false;  // of the current group: the next User-agent line starts another
  bool has_delay_ =
      false;  // the same for Crawl-delay, which applies to the User-agent lines directly above it
  std::vector<std::string> sitemaps_;
};

}  // namespace gossamer::robots
