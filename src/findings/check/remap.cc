#include "check/remap.h"

#include <re2/re2.h>

#include <utility>

#include "base/ascii.h"
#include "base/errc.h"
#include "url/code_points.h"

namespace gossamer::check {
namespace {

// "$1" becomes RE2's "\1".
std::string rewrite_of(std::string_view replacement) {
  std::string rewrite;
  for (std::size_t i = 0; i < replacement.size(); ++i) {
    const char next = i + 1 < replacement.size() ? replacement[i + 1] : ' ';
    if (replacement[i] == '\\') {
      rewrite += "\\\\";
    } else if (replacement[i] == '$' && url::is_digit(next)) {
      rewrite += '\\';
    } else {
      if (replacement[i] == '$' && next == '$') ++i;
      rewrite += replacement[i];
    }
  }
  return rewrite;
}

}  // namespace

struct Remaps::Rule {
  Rule(std::string_view from, std::string_view to)
      : pattern(std::string(from), RE2::Quiet), rewrite(rewrite_of(to)) {}

  RE2 pattern;
  std::string rewrite;
};

Result<void> Remaps::add(std::string_view rule) {
  const std::string_view text = base::trimmed(rule, " \t");
  const std::size_t blank = text.find_first_of(" \t");
  if (blank == std::string_view::npos) {
    return fail(
        Errc::invalid_argument,
        "expected 'PATTERN REPLACEMENT' with a space between, not '" + std::string(rule) + "'");
  }
  auto made =
      std::make_shared<const Rule>(text.substr(0, blank), base::trimmed(text.substr(blank), " \t"));
  std::string problem = made->pattern.error();
  if (made->pattern.ok()) made->pattern.CheckRewriteString(made->rewrite, &problem);
  if (!problem.empty()) {
    return fail(Errc::invalid_argument, "invalid rule '" + std::string(rule) + "': " + problem);
  }
  rules_.push_back(std::move(made));
  return {};
}

std::optional<std::string> Remaps::apply(std::string_view url) const {
  for (const auto& rule : rules_) {
    std::string text(url);
    if (RE2::Replace(&text, rule->pattern, rule->rewrite)) return text;
  }
  return std::nullopt;
}

}  // namespace gossamer::check
