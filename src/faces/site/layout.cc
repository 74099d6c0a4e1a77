#include "site/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/ascii.h"
#include "base/check.h"
#include "site/words.h"
#include "url/crawl_identity.h"
#include "url/url.h"

namespace gossamer::site {
namespace {

constexpr std::array<std::string_view, 8> kSections = {"guide",  "reference", "news",    "blog",
                                                       "people", "projects",  "archive", "help"};
constexpr std::string_view kCopyMark = "view=print";

// The purposes of the layout's own draws; those of other files begin at 100.
enum : std::uint64_t { kTraits = 1, kSlug, kOutcome };

// The forms of a page's URL.
enum : std::uint8_t { kFile, kFolder, kQuery, kAccented, kForms };

// Redirects come in groups of eight, each with a role.
enum : std::uint64_t { kMeets, kMeetsToo, kChain1, kChain2, kChain3, kCircle1, kCircle2, kStray };
constexpr std::uint64_t kGroup = 8;

std::uint64_t rated(double rate, std::uint64_t pages) {
  return static_cast<std::uint64_t>(std::llround(rate * static_cast<double>(pages)));
}

// "example.com:80" is "example.com" (in http, the only scheme here).
std::string normal_host(std::string_view host) {
  std::string out(host);
  for (char& c : out) c = base::to_lower(c);
  if (out.ends_with(":80")) out.resize(out.size() - 3);
  return out;
}

// The digits that end at `end`.
std::optional<std::uint64_t> number_before(std::string_view text, std::size_t end) {
  std::size_t begin = end;
  while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9') --begin;
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data() + begin, text.data() + end, number);
  if (error != std::errc() || stop != text.data() + end || begin == end) return std::nullopt;
  return number;
}

// Returns the last number of a URL: every URL that we make has its own number there.
std::optional<std::uint64_t> last_number(std::string_view target) {
  const std::size_t last = target.find_last_of("0123456789");
  if (last == std::string_view::npos) return std::nullopt;
  return number_before(target, last + 1);
}

Kind kind_of_folder(std::string_view target) {
  const std::string_view folder = target.substr(1, target.find('/', 1) - 1);
  if (folder == "moved") return Kind::moved;
  if (folder == "go") return Kind::redirect;
  if (folder == "missing") return Kind::missing;
  if (folder == "unwell") return Kind::error;
  if (folder == "files") return Kind::document;
  if (folder == "calendar" || folder == "maze" || folder == "shop") return Kind::trap;
  if (folder == "assets") return target.ends_with(".css") ? Kind::style : Kind::image;
  return Kind::page;
}

}  // namespace

Layout::Layout(SiteOptions options) : options_(std::move(options)) {
  CHECK(validate(options_), "the options of a site are not valid");
  for (std::string& host : options_.hosts) host = normal_host(host);
  const std::uint64_t pages = options_.pages;
  const auto set = [this](Kind kind, std::uint64_t count) {
    counts_[static_cast<std::size_t>(kind)] = count;
  };
  const std::uint64_t all_pages = pages + rated(options_.orphans, pages);
  set(Kind::page, all_pages);
  set(Kind::copy, all_pages);
  set(Kind::moved, all_pages);
  set(Kind::redirect, rated(options_.redirects, pages));
  set(Kind::missing, rated(options_.missing, pages));
  set(Kind::error, rated(options_.errors, pages));
  set(Kind::document, rated(options_.documents, pages));
  set(Kind::image, rated(options_.images, pages));
  set(Kind::style, count(Kind::image) > 0 ? 3 : 0);
  set(Kind::robots, options_.has_robots ? 1 : 0);
  const std::uint64_t sitemaps = (all_pages + kUrlsPerSitemap - 1) / kUrlsPerSitemap;
  set(Kind::sitemap, options_.has_sitemap ? 1 + sitemaps : 0);
}

base::Random Layout::random(const Resource& resource, std::uint64_t purpose) const {
  std::uint64_t state = options_.seed;
  state = base::splitmix64(state) ^ resource.number;
  state = base::splitmix64(state) ^ (std::uint64_t{resource.host} << 32) ^
          (static_cast<std::uint64_t>(resource.kind) << 16) ^ purpose;
  return base::Random(base::splitmix64(state));
}

Layout::Share Layout::share(Kind kind, std::uint64_t page) const {
  const std::uint64_t all = count(kind);
  return {.first = page * all / options_.pages, .last = (page + 1) * all / options_.pages};
}

bool Layout::exists(const Resource& resource) const {
  if (resource.number >= count(resource.kind)) return false;
  switch (resource.kind) {
    case Kind::missing: return false;
    case Kind::copy: return traits(resource).has_copy;
    case Kind::moved: return traits(resource).has_moved;
    default: return true;
  }
}

PageTraits Layout::traits(const Resource& resource) const {
  const Resource page = {resource.host, Kind::page, resource.number};
  base::Random drawn = random(page, kTraits);
  PageTraits traits;
  // The traits that determine the URL come first.
  traits.section = static_cast<std::uint8_t>(drawn.next() % kSections.size());
  traits.form = static_cast<std::uint8_t>(drawn.next() % kForms);
  traits.is_disallowed = drawn.chance(options_.disallowed);
  traits.is_open = traits.is_disallowed && drawn.chance(0.2);
  traits.has_copy = drawn.chance(options_.duplicates);
  traits.has_moved = drawn.chance(options_.moved);
  traits.links = static_cast<std::uint32_t>(drawn.between(options_.links_min, options_.links_max));
  traits.bytes =
      static_cast<std::uint32_t>(drawn.between(options_.page_bytes_min, options_.page_bytes_max));
  traits.has_base = drawn.chance(options_.odd_spellings / 4);
  traits.is_gzipped = drawn.chance(options_.gzipped);
  traits.is_chunked = drawn.chance(options_.chunked);
  traits.is_slow = drawn.chance(options_.slow);
  traits.is_cut_once = drawn.chance(options_.cut_once);
  traits.is_cut_always = drawn.chance(options_.cut_always);
  traits.declares_in_meta = drawn.chance(0.5);
  if (drawn.chance(options_.nofollow_pages)) {
    traits.nofollow = drawn.chance(0.5) ? PageNofollow::meta : PageNofollow::header;
  }
  if (drawn.chance(options_.other_encodings)) {
    traits.encoding = static_cast<PageEncoding>(1 + drawn.below(3));
  }
  if (page.number == 0) {  // all pages depend on the root
    traits.is_disallowed = traits.has_moved = traits.is_cut_always = false;
    traits.nofollow = PageNofollow::none;
  }
  return traits;
}

std::string Layout::page_target(const Resource& page) const {
  if (page.number == 0) return "/";
  const PageTraits traits = this->traits(page);
  // Pages contain many of these, so they are assembled by hand.
  std::string out;
  out.reserve(64);
  if (traits.is_disallowed) {
    out += traits.is_open ? kOpen : kDisallowed;
  } else {
    out += '/';
    out += kSections[traits.section];
    out += '/';
  }
  if (traits.form == kQuery) {
    out += "view?lang=en&page=";
  } else {
    append_slug(out, random(page, kSlug).next());
    out += traits.form == kAccented ? "-caf%C3%A9-" : "-";
  }
  std::array<char, 20> digits;
  out.append(digits.begin(), std::to_chars(digits.begin(), digits.end(), page.number).ptr);
  if (traits.form == kFile) out += ".html";
  if (traits.form == kFolder) out += '/';
  return out;
}

std::string Layout::target(const Resource& resource) const {
  const std::uint64_t number = resource.number;
  const auto words = [&] { return slug(random(resource, kSlug).next()); };
  switch (resource.kind) {
    case Kind::page: return page_target(resource);
    case Kind::copy: {
      const std::string page = page_target({resource.host, Kind::page, number});
      return fmt::format("{}{}{}", page, page.find('?') == std::string::npos ? '?' : '&',
                         kCopyMark);
    }
    case Kind::moved: return fmt::format("/moved/{}", number);
    case Kind::redirect: return fmt::format("/go/{}-{}", words(), number);
    case Kind::missing: return fmt::format("/missing/{}-{}.html", words(), number);
    case Kind::error: return fmt::format("/unwell/{}-{}.html", words(), number);
    case Kind::document: return fmt::format("/files/{}-{}.pdf", words(), number);
    case Kind::style: return fmt::format("/assets/style-{}.css", number);
    case Kind::image: return fmt::format("/assets/image-{}.png", number);
    case Kind::robots: return "/robots.txt";
    case Kind::sitemap:
      return number == 0 ? "/sitemap.xml" : fmt::format("/sitemap-{}.xml", number);
    case Kind::trap:
    case Kind::nothing: break;
  }
  CHECK(false, "a {} has no address of its own", name(resource.kind));
  return {};
}

std::string Layout::origin(std::uint32_t host) const { return "http://" + options_.hosts[host]; }

std::string Layout::url(const Resource& resource) const {
  return origin(resource.host) + target(resource);
}

Resource Layout::find(std::uint32_t host, std::string_view target) const {
  if (!target.starts_with('/')) return {.host = host, .kind = Kind::nothing};
  if (const Resource found = find_normal(host, target); found.kind != Kind::nothing) return found;
  const bool is_odd = target.find_first_of("%#\\ ") != std::string_view::npos ||
                      target.ends_with('?') || target.find("/.") != std::string_view::npos;
  if (!is_odd) return {.host = host, .kind = Kind::nothing};
  const auto url = url::Url::parse(origin(host) + std::string(target));
  if (!url) return {.host = host, .kind = Kind::nothing};
  url::CrawlIdentity identity;
  std::string_view normal = identity.normal_form(*url);
  normal.remove_prefix(std::min(normal.size(), origin(host).size()));
  return find_normal(host, normal);
}

Resource Layout::find_normal(std::uint32_t host, std::string_view target) const {
  const Resource nothing = {.host = host, .kind = Kind::nothing};
  if (target == "/") return {host, Kind::page, 0};
  if (target == "/robots.txt" && options_.has_robots) return {host, Kind::robots, 0};
  if (target == "/sitemap.xml" && options_.has_sitemap) return {host, Kind::sitemap, 0};
  Resource found = {host, kind_of_folder(target), 0};
  if (found.kind == Kind::trap) return options_.has_traps ? found : nothing;
  if (target.starts_with("/sitemap-")) found.kind = Kind::sitemap;
  if (found.kind == Kind::page && target.ends_with(kCopyMark)) found.kind = Kind::copy;
  // Only the root has no number.
  found.number = last_number(target).value_or(0);
  if (found.number >= count(found.kind) || this->target(found) != target) return nothing;
  return found.kind == Kind::missing || exists(found) ? found : nothing;
}

std::optional<std::uint32_t> Layout::find_host(std::string_view host) const {
  const auto& hosts = options_.hosts;
  if (hosts.size() == 1) return 0;
  const std::string wanted = normal_host(host);
  const auto found = std::find(hosts.begin(), hosts.end(), wanted);
  if (found == hosts.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - hosts.begin());
}

bool Layout::is_allowed(const Resource& resource) const {
  if (!options_.has_robots) return true;
  if (resource.kind != Kind::page && resource.kind != Kind::copy) return true;
  const PageTraits traits = this->traits(resource);
  return !traits.is_disallowed || traits.is_open;
}

Outcome Layout::outcome(const Resource& resource) const {
  const int missing = options_.has_soft_404 ? 200 : 404;
  switch (resource.kind) {
    case Kind::page:
    case Kind::copy: {
      const PageTraits traits = this->traits(resource);
      if (traits.is_cut_always) return {.status = 0};
      if (traits.is_cut_once) return {.failures = 1};
      return {};
    }
    case Kind::moved:
      return {.status = 301, .to = Resource{resource.host, Kind::page, resource.number}};
    case Kind::redirect: return redirect_outcome(resource);
    case Kind::error: return error_outcome(resource);
    case Kind::missing:
    case Kind::nothing: return {.status = missing};
    case Kind::document:
    case Kind::style:
    case Kind::image:
    case Kind::robots:
    case Kind::sitemap:
    case Kind::trap: break;
  }
  return {};
}

Outcome Layout::redirect_outcome(const Resource& resource) const {
  constexpr std::array kStatuses = {301, 302, 303, 307, 308};
  base::Random drawn = random(resource, kOutcome);
  const std::uint64_t part = resource.number % kGroup;
  const std::uint64_t group = resource.number - part;
  Outcome outcome = {.status = kStatuses[drawn.below(kStatuses.size())]};
  const auto lead_to = [&](Kind kind, std::uint64_t number) {
    outcome.to = Resource{resource.host, kind, number};
  };
  // All redirects of the group lead to one page.
  const std::uint64_t page =
      random({resource.host, Kind::redirect, group}, kOutcome).next() % options_.pages;
  std::uint64_t next = group + kGroup;  // another redirect
  if (part == kChain1 || part == kChain2 || part == kCircle1) next = resource.number + 1;
  if (part == kCircle2) next = resource.number - 1;
  if (part == kStray) {
    const std::uint64_t way = drawn.below(3);
    if (way == 0) {
      outcome.external = fmt::format("http://elsewhere.example/{}", slug(drawn.next()));
    } else if (way == 1) {
      lead_to(Kind::redirect, resource.number);  // the smallest loop
    } else if (count(Kind::missing) > 0) {
      lead_to(Kind::missing, drawn.below(count(Kind::missing)));
    } else {
      lead_to(Kind::page, drawn.below(options_.pages));
    }
  } else if (next < group + kGroup && next < count(Kind::redirect)) {
    lead_to(Kind::redirect, next);
  } else {
    lead_to(Kind::page, page);
  }
  return outcome;
}

Outcome Layout::error_outcome(const Resource& resource) const {
  base::Random drawn = random(resource, kOutcome);
  const auto failures = static_cast<std::uint32_t>(1 + drawn.below(2));
  switch (drawn.below(5)) {
    case 0: return {.status = 403};
    case 1: return {.status = 410};
    case 2: return {.status = 500};
    case 3: return {.status = 200, .failures = failures, .failing_status = 503};
    default: return {.status = 200, .failures = failures, .failing_status = 429};
  }
}

}  // namespace gossamer::site
