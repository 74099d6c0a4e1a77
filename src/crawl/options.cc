#include "crawl/options.h"

#include <algorithm>

#include "url/code_points.h"

namespace gossamer::crawl {
namespace {

// "http:", "mailto:" but not "localhost:8080" or "example.com:80/x".
bool has_scheme(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  for (const char c : text.substr(0, colon)) {
    if (!url::is_alpha(c) && !url::is_digit(c) && c != '+' && c != '-' && c != '.') return false;
  }
  if (text.substr(colon).starts_with("://")) return true;
  const std::string_view rest = text.substr(colon + 1);
  return !rest.empty() && !url::is_digit(rest.front());
}

}  // namespace

PolitenessOptions frontier_politeness(const Settings& options) {
  PolitenessOptions politeness = options.politeness;
  politeness.own_concurrency = std::max(politeness.own_concurrency, options.concurrency);
  return politeness;
}

Result<url::Url> parse_root(const std::string& text) {
  constexpr std::string_view kBlank = " \t\r\n";
  std::string with_scheme = text.substr(std::min(text.find_first_not_of(kBlank), text.size()));
  if (!has_scheme(with_scheme)) with_scheme.insert(0, "http://");
  auto url = url::Url::parse(with_scheme);
  if (!url) {
    return fail(Errc::invalid_argument,
                "'" + text + "' is no URL: " + std::string(url.error().detail()));
  }
  if (!url->is_http_or_https()) {
    return fail(Errc::invalid_argument, "'" + text + "' is neither http nor https");
  }
  return url;
}

Result<void> validate(const Settings& options) {
  if (options.roots.empty() && !options.asks_for_leaves) {
    return fail(Errc::invalid_argument, "there is no URL to begin with");
  }
  for (const std::string& root : options.roots) {
    if (auto url = parse_root(root); !url) return fail(std::move(url).error());
  }
  if (auto good = validate(options.scope); !good) return good;
  if (auto good = validate(options.traps); !good) return good;
  if (auto good = validate(options.hosts); !good) return good;
  for (const LoginOptions& login : options.logins) {
    if (auto good = validate(login); !good) return good;
  }
  if (options.concurrency == 0) return fail(Errc::invalid_argument, "the concurrency is 0");
  if (options.politeness.host_concurrency == 0U || options.politeness.concurrency_first == 0) {
    return fail(Errc::invalid_argument, "the concurrency per host is 0");
  }
  if (options.pages_max == 0U) return fail(Errc::invalid_argument, "the limit of pages is 0");
  if (options.tries_max == 0) return fail(Errc::invalid_argument, "the number of tries is 0");
  if (options.redirects_max > 250 || options.tries_max > 250) {
    return fail(Errc::invalid_argument, "more than 250 redirects or tries make no sense");
  }
  return {};
}

}  // namespace gossamer::crawl
