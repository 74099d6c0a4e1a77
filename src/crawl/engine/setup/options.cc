#include "engine/setup/options.h"

#include <algorithm>
#include <string>

#include "content/extractor.h"
#include "url/code_points.h"
#include "url/secrets.h"

namespace gossamer::crawler {
namespace {

// True for "http:" and "mailto:", but not for "localhost:8080" or "example.com:80/x".
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

// Returns "ht!tp" for "ht!tp://a.example"; empty if the text does not begin like a scheme.
std::string_view odd_scheme(std::string_view text) {
  const std::size_t end = text.find("://");
  if (end == std::string_view::npos || has_scheme(text)) return {};
  const std::string_view scheme = text.substr(0, end);
  return scheme.find_first_of("/?#") == std::string_view::npos ? scheme : std::string_view();
}

// Returns why a valid URL is not accepted as a root; empty: it is. Words without a scheme are
// mostly typing errors: a file, or the unit of an option.
std::string why_not_root(const url::Url& url, std::string_view typed) {
  const std::string_view host = url.hostname();
  if (host.starts_with('.') || host.find("..") != std::string_view::npos) {
    return "'" + std::string(host) +
           "' is not a host; use `input-file` FILE to read URLs from a file";
  }
  if (host == "localhost") return {};
  typed.remove_prefix(std::min(typed.find_first_not_of("/\\"), typed.size()));
  const std::string word(typed.substr(0, typed.find_first_of("/\\?#")));
  // With a scheme, user or port, or an address.
  if (word.find_first_of("[@:") != std::string::npos) return {};
  const bool is_number = std::ranges::all_of(word, [](char c) { return url::is_digit(c); });
  if (host.contains('.') && !is_number) return {};
  return "if " + word + " is a host, write http://" + word + std::string(url.request_target());
}

}  // namespace

BodyShares body_shares(const Settings& options) {
  const bool has_contents = !options.extract.empty() || options.keeps_text ||
                            options.keeps_markdown || options.keeps_metadata ||
                            options.finds_similar;
  const std::uint64_t contents = has_contents ? options.body_memory_max / 2 : 0;
  const std::uint64_t bodies = options.body_memory_max - contents;
  // A sitemap of 50,000 URLs has five megabytes of them.
  constexpr std::uint64_t kLinksMin = 8 * 1024 * 1024;
  return {.bodies = bodies,
          .contents = contents,
          .links = std::max(bodies / 4, std::min(bodies, kLinksMin))};
}

PolitenessOptions frontier_politeness(const Settings& options) {
  PolitenessOptions politeness = options.politeness;
  politeness.own_concurrency = std::max(politeness.own_concurrency, options.concurrency);
  return politeness;
}

Result<url::Url> parse_root(const std::string& text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const auto wrong = [&text](std::string_view reason) {
    return fail(Errc::invalid_argument,
                "'" + url::without_secrets(text) + "' is not a URL: " + std::string(reason));
  };
  std::string with_scheme = text.substr(std::min(text.find_first_not_of(kBlank), text.size()));
  if (const auto scheme = odd_scheme(with_scheme); !scheme.empty()) {
    return wrong("'" + std::string(scheme) + "' is not a scheme");
  }
  const std::string typed = with_scheme;
  if (!has_scheme(typed)) with_scheme.insert(0, "http://");
  auto url = url::Url::parse(with_scheme);
  if (!url) return wrong(url.error().detail());
  if (!url->is_http_or_https()) {
    return fail(Errc::invalid_argument,
                "'" + url::without_secrets(text) + "' is neither http nor https");
  }
  if (const std::string why = why_not_root(*url, typed); !why.empty()) return wrong(why);
  return url;
}

Result<void> validate(const Settings& options) {
  if (options.roots.empty() && !options.asks_for_leaves) {
    return fail(Errc::invalid_argument, "there is no URL to start with");
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
  if (auto good = content::Extractor::compile(options.extract, options.items); !good) {
    return fail(Errc::invalid_argument, std::string(good.error().detail()));
  }
  if (options.concurrency == 0)
    return fail(Errc::invalid_argument, "the concurrency must be at least 1");
  if (options.politeness.host_concurrency == 0U || options.politeness.concurrency_first == 0) {
    return fail(Errc::invalid_argument, "the concurrency per host must be at least 1");
  }
  if (options.pages_max == 0U)
    return fail(Errc::invalid_argument, "the limit of pages must be at least 1");
  if (options.tries_max == 0)
    return fail(Errc::invalid_argument, "the number of tries must be at least 1");
  if (options.redirects_max > 250 || options.tries_max > 250) {
    return fail(Errc::invalid_argument, "the numbers of redirects and tries must be at most 250");
  }
  return {};
}

bool is_level_by_level(const Options& options) {
  return options.scope.depth_max.has_value() && options.order == CrawlOrder::breadth_first;
}

FrontierOptions frontier_options(const Options& options, World& world) {
  FrontierOptions frontier = frontier_options(options, world.resolver != nullptr);
  frontier.salt = world.random.next();
  return frontier;
}

FrontierOptions frontier_options(const Options& options, bool has_resolver) {
  FrontierOptions frontier;
  frontier.politeness = frontier_politeness(options);
  frontier.hosts = options.hosts;
  frontier.order = options.order;
  frontier.is_level_by_level = is_level_by_level(options);
  frontier.global_gap = options.global_gap;
  frontier.needs_address = has_resolver;
  frontier.needs_robots = options.obeys_robots || options.reads_sitemaps;
  frontier.probes_robots = options.obeys_robots;
  frontier.pages_max = options.pages_max;
  if (options.host_bytes_max > 0) frontier.host_bytes_max = options.host_bytes_max;
  frontier.agent = options.agent;
  return frontier;
}

}  // namespace gossamer::crawler
