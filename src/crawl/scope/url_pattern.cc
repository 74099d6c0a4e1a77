#include "scope/url_pattern.h"

#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/error.h"

namespace gossamer::crawler {
namespace {

RE2::Options pattern_options() {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_never_capture(true);
  return options;
}

// RE2 has a string_view of its own, which newer versions take from Abseil.
re2::StringPiece piece_of(std::string_view text) { return {text.data(), text.size()}; }

bool search(const RE2& pattern, std::string_view text) {
  return pattern.Match(piece_of(text), 0, text.size(), RE2::UNANCHORED, nullptr, 0);
}

}  // namespace

struct UrlPatterns::State {
  std::vector<std::unique_ptr<RE2>> each;
  // Several patterns are matched in one pass over the text.
  std::unique_ptr<RE2::Set> together;
};

UrlPatterns::UrlPatterns() : state_(std::make_unique<State>()) {}
UrlPatterns::UrlPatterns(UrlPatterns&&) noexcept = default;
UrlPatterns& UrlPatterns::operator=(UrlPatterns&&) noexcept = default;
UrlPatterns::~UrlPatterns() = default;

Result<UrlPatterns> UrlPatterns::compile(std::span<const std::string> patterns) {
  UrlPatterns compiled;
  State& state = *compiled.state_;
  for (const std::string& pattern : patterns) {
    auto one = std::make_unique<RE2>(pattern, pattern_options());
    if (!one->ok()) {
      return std::unexpected(
          Error(Errc::invalid_argument, "invalid pattern '" + pattern + "': " + one->error()));
    }
    state.each.push_back(std::move(one));
  }
  if (patterns.size() < 2) return compiled;
  auto together = std::make_unique<RE2::Set>(pattern_options(), RE2::UNANCHORED);
  for (const std::string& pattern : patterns) {
    CHECK_GE(together->Add(pattern, nullptr), 0);
  }
  // Each is small enough; if all together are not, they stay separate.
  if (together->Compile()) state.together = std::move(together);
  return compiled;
}

bool UrlPatterns::empty() const noexcept { return state_->each.empty(); }

bool UrlPatterns::match_any(std::string_view text) const {
  if (state_->together != nullptr) {
    RE2::Set::ErrorInfo failure{};
    if (state_->together->Match(piece_of(text), nullptr, &failure)) return true;
    // A set requires its automaton; a single pattern does not.
    if (failure.kind == RE2::Set::kNoError) return false;
  }
  return std::ranges::any_of(state_->each,
                             [&](const auto& pattern) { return search(*pattern, text); });
}

}  // namespace gossamer::crawler
