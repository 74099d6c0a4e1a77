#include "scope/scope.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "base/ascii.h"
#include "base/check.h"
#include "base/error.h"

namespace gossamer::crawler {
namespace {

constexpr std::size_t kExtensionBytesMax = 16;
constexpr std::size_t kVerdicts = 256;

// Host and port of a URL, without "www.". The parser removes default ports, so http and https of a
// host are one site; any other port is another one.
std::string_view site(const url::Url& url) noexcept {
  constexpr std::string_view kPrefix = "www.";
  std::string_view host = url.host();
  if (host.size() > kPrefix.size() && host.starts_with(kPrefix)) host.remove_prefix(kPrefix.size());
  return host;
}

std::uint64_t page_key(const url::Url& url) noexcept {
  return base::hash64(url.request_target(), base::hash64(site(url)));
}

// Iterates over the keys of the folders of a URL, the outermost first: /, /docs/ and /docs/a/ for
// /docs/a/index.html.
class FolderKeys {
 public:
  // BORROWS: the URL.
  explicit FolderKeys(const url::Url& url) noexcept
      : rest_(url.pathname()), key_(base::hash64(site(url))) {}

  // Returns false after the last one.
  bool next() noexcept {
    const std::size_t slash = rest_.find('/');
    if (slash == std::string_view::npos) return false;
    key_ = base::hash64(rest_.substr(0, slash + 1), key_);
    rest_.remove_prefix(slash + 1);
    return true;
  }
  std::uint64_t key() const noexcept { return key_; }

 private:
  std::string_view rest_;
  std::uint64_t key_;
};

bool is_extension(std::string_view text) noexcept {
  return !text.empty() && text.size() <= kExtensionBytesMax &&
         std::ranges::all_of(
             text, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); });
}

Error invalid_scope(std::string detail) { return {Errc::invalid_argument, std::move(detail)}; }

UrlPatterns compiled(std::span<const std::string> patterns) {
  Result<UrlPatterns> result = UrlPatterns::compile(patterns);
  CHECK(result.has_value(), "options that were not validated");
  return std::move(*result);
}

}  // namespace

Result<void> validate(const ScopeOptions& options) {
  for (const auto* const patterns : {&options.include, &options.exclude}) {
    if (auto result = UrlPatterns::compile(*patterns); !result) {
      return std::unexpected(std::move(result).error());
    }
  }
  for (const std::string& extension : options.skipped_extensions) {
    if (is_extension(extension)) continue;
    return std::unexpected(
        invalid_scope("the extension '" + extension +
                      "' is not up to 16 lower-case letters and digits without the dot"));
  }
  if (options.url_bytes_max == 0)
    return std::unexpected(invalid_scope("the maximum length of URLs must be at least 1"));
  return {};
}

Scope::Scope(ScopeOptions options, const url::PublicSuffixList& suffixes,
             const std::vector<HostOptions>& hosts)
    : options_(std::move(options)),
      suffixes_(suffixes),
      patterns_{compiled(options_.include), compiled(options_.exclude)},
      hosts_(hosts),
      extensions_(options_.skipped_extensions.begin(), options_.skipped_extensions.end()) {
  if (options_.kind == ScopeKind::domain) verdicts_.resize(kVerdicts);
  const bool has_hashes = options_.kind == ScopeKind::page || options_.kind == ScopeKind::prefix;
  if (has_hashes) roots_ = std::make_unique<SeenSet>();
  for (std::size_t i = 0; i < hosts_.size(); ++i) {
    host_patterns_.push_back({compiled(hosts_[i].include.value_or(options_.include)),
                              compiled(hosts_[i].exclude.value_or(options_.exclude))});
  }
}

const Scope::Patterns& Scope::patterns_of(const url::Url& url) const {
  if (hosts_.empty()) return patterns_;
  const auto place = hosts_.find(url.hostname());
  return place ? host_patterns_[*place] : patterns_;
}

void Scope::add_root(const url::Url& root) {
  if (!root.is_http_or_https()) return;
  switch (options_.kind) {
    case ScopeKind::any: return;
    case ScopeKind::page: roots_->insert(page_key(root)); return;
    case ScopeKind::prefix: add_folder(root); return;
    case ScopeKind::host:
    case ScopeKind::domain: break;
  }
  if (!sites_.contains(site(root))) sites_.emplace(site(root));
  if (options_.kind == ScopeKind::host) return;
  const std::string_view domain = suffixes_.registrable_domain(root.hostname());
  if (domain.empty() || domains_.contains(domain)) return;
  domains_.emplace(domain);
  if (std::exchange(has_verdicts_, false)) std::ranges::fill(verdicts_, HostVerdict{});
}

SkipReason Scope::judge(const url::Url& url, const LinkFacts& facts) const {
  if (!url.is_http_or_https()) return SkipReason::not_http;
  const std::string_view text = url.without_fragment();
  if (text.size() > options_.url_bytes_max) return SkipReason::url_too_long;

  const bool is_asset = options_.assets && facts.is_requisite;
  const bool is_asked_for_by_name = facts.is_root || is_asset;
  const bool is_outside = !is_asked_for_by_name && !in_kind(url);
  // What the user excludes does not even become a leaf.
  if (is_outside && !facts.may_become_leaf) return SkipReason::out_of_scope;
  const Patterns& patterns = patterns_of(url);
  if (is_excluded(url, patterns)) return SkipReason::excluded;
  if (is_outside) return SkipReason::out_of_scope;
  if (!is_asked_for_by_name && !patterns.include.empty() && !patterns.include.match_any(text)) {
    return SkipReason::not_included;
  }
  if (!facts.is_root && !extensions_.empty() && is_skipped_extension(url.pathname())) {
    return SkipReason::extension;
  }
  if (!is_asked_for_by_name && options_.depth_max && facts.depth > *options_.depth_max) {
    return SkipReason::too_deep;
  }
  return SkipReason::none;
}

bool Scope::is_excluded(const url::Url& url, const Patterns& patterns) const {
  const bool is_by_option =
      !patterns.exclude.empty() && patterns.exclude.match_any(url.without_fragment());
  return is_by_option || is_excluded_later(url);
}

Result<void> Scope::exclude(const std::string& pattern) {
  if (std::ranges::find(later_, pattern) != later_.end()) return {};
  if (later_.size() >= kLaterExcludesMax) {
    return fail(Errc::over_limit, "too many patterns were excluded during the crawl");
  }
  later_.push_back(pattern);
  auto all = UrlPatterns::compile(later_);
  if (!all) {
    later_.pop_back();
    return fail(std::move(all).error());
  }
  later_patterns_ = std::move(*all);
  return {};
}

Result<void> Scope::unexclude(const std::string& pattern) {
  std::vector<std::string> left = later_;
  if (std::erase(left, pattern) == 0) {
    return fail(Errc::not_found, "this pattern is not excluded: " + pattern);
  }
  auto all = UrlPatterns::compile(left);
  if (!all) return fail(std::move(all).error());
  later_ = std::move(left);
  later_patterns_ = std::move(*all);
  return {};
}

bool Scope::is_excluded_later(const url::Url& url) const {
  return !later_.empty() && later_patterns_.match_any(url.without_fragment());
}

bool Scope::in_kind(const url::Url& url) const {
  switch (options_.kind) {
    case ScopeKind::page: return roots_->contains(page_key(url));
    case ScopeKind::prefix: return in_folder(url);
    case ScopeKind::host: return sites_.contains(site(url));
    case ScopeKind::domain: return sites_.contains(site(url)) || in_domain(url);
    case ScopeKind::any: break;
  }
  return true;
}

void Scope::add_folder(const url::Url& root) {
  FolderKeys folders(root);
  std::size_t depth = 0;
  while (folders.next()) ++depth;
  roots_->insert(folders.key());
  folder_depth_max_ = std::max(folder_depth_max_, depth);
}

bool Scope::in_folder(const url::Url& url) const {
  FolderKeys folders(url);
  for (std::size_t depth = 0; depth < folder_depth_max_ && folders.next(); ++depth) {
    if (roots_->contains(folders.key())) return true;
  }
  return false;
}

bool Scope::in_domain(const url::Url& url) const {
  const std::string_view hostname = url.hostname();
  HostVerdict& verdict = verdicts_[base::hash64(hostname) % kVerdicts];
  if (verdict.hostname != hostname) {
    has_verdicts_ = true;
    verdict.hostname = hostname;
    const std::string_view domain = suffixes_.registrable_domain(hostname);
    verdict.inside = !domain.empty() && domains_.contains(domain);
  }
  return verdict.inside;
}

bool Scope::is_skipped_extension(std::string_view path) const {
  const std::string_view file = path.substr(path.rfind('/') + 1);
  const std::size_t dot = file.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return false;
  const std::string_view extension = file.substr(dot + 1);
  if (extension.size() > kExtensionBytesMax) return false;
  std::array<char, kExtensionBytesMax> lower;
  std::ranges::transform(extension, lower.begin(), base::to_lower);
  return extensions_.contains(std::string_view(lower.data(), extension.size()));
}

}  // namespace gossamer::crawler
