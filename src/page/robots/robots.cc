#include "robots/robots.h"

#include <algorithm>
#include <cstring>

#include "base/find_text.h"
#include "robots/robots_path.h"

namespace gossamer::robots {
namespace {

constexpr std::string_view kOwnPath = "/robots.txt";

// Returns the first eight bytes as a number; missing bytes are zero.
std::uint64_t first_word(std::string_view text) {
  std::uint64_t word = 0;
  std::memcpy(&word, text.data(), std::min(text.size(), sizeof word));
  return word;
}

}  // namespace

std::string_view product_token(std::string_view agent) noexcept {
  constexpr std::string_view kAgentBlanks = " \t\r\n\f\v";
  agent.remove_prefix(std::min(agent.find_first_not_of(kAgentBlanks), agent.size()));
  return agent.substr(0, agent.find_first_of(" \t\r\n\f\v/,;:()<>\"'"));
}

Robots Robots::disallow_all() { return parse("User-agent: *\nDisallow: /", {}); }

// Every `*` matches as little as possible: the piece after it is searched from the left. A later
// match would only leave fewer bytes for the pieces after it.
bool Robots::matches(const Rule& rule, std::string_view target) const {
  std::string_view pattern = text_of(rule);
  if (!rule.has_star) {
    return rule.is_anchored ? target == pattern : target.starts_with(pattern);
  }
  const std::size_t first_star = pattern.find('*');
  if (!target.starts_with(pattern.substr(0, first_star))) return false;
  target.remove_prefix(first_star);
  pattern.remove_prefix(first_star + 1);
  while (true) {
    const std::size_t star = pattern.find('*');
    const std::string_view piece = pattern.substr(0, star);
    if (star == std::string_view::npos && rule.is_anchored) return target.ends_with(piece);
    const std::size_t found = base::find_text(target, piece);
    if (found == std::string_view::npos) return false;
    if (star == std::string_view::npos) return true;
    target.remove_prefix(found + piece.size());
    pattern.remove_prefix(star + 1);
  }
}

std::size_t Robots::bytes_held() const noexcept {
  std::size_t bytes = starts_.capacity() * sizeof(Start) + rules_.capacity() * sizeof(Rule) +
                      text_.size() + sitemaps_.capacity() * sizeof(std::string);
  for (const std::string& sitemap : sitemaps_) bytes += sitemap.size();
  return bytes;
}

Decision Robots::decide(std::string_view target) const {
  Decision decision = {.group = group_};
  if (rules_.empty() || target == kOwnPath) return decision;
  std::string scratch;
  target = normal_path(target.empty() ? "/" : target, scratch);
  const std::uint64_t word = first_word(target);
  for (std::size_t i = 0; i < starts_.size(); ++i) {
    if (((word ^ starts_[i].bytes) & starts_[i].mask) != 0) continue;
    const Rule& rule = rules_[i];
    if (!matches(rule, target)) continue;
    decision.allowed = rule.allows;
    decision.line = rule.line;
    decision.pattern = std::string_view(text_).substr(rule.written, rule.written_size);
    return decision;
  }
  return decision;
}

}  // namespace gossamer::robots
