#include "scope/host_options.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "scope/url_pattern.h"
#include "url/url.h"

namespace gossamer::crawler {
namespace {

constexpr std::string_view kStar = "*.";

Error invalid(std::string detail) { return {Errc::invalid_argument, std::move(detail)}; }

// Fills unset values of `one` from `other`.
void fill_in(HostOptions& one, const HostOptions& other) {
  if (!one.delay) one.delay = other.delay;
  if (!one.concurrency) one.concurrency = other.concurrency;
  if (!one.include) one.include = other.include;
  if (!one.exclude) one.exclude = other.exclude;
}

}  // namespace

Result<std::string> parse_host_name(std::string_view text) {
  const auto wrong = [text] {
    return fail(invalid("'" + std::string(text) +
                        "' is not a host; write example.com, or *.example.com for its subdomains"));
  };
  const bool has_star = text.starts_with(kStar);
  const std::string_view host = has_star ? text.substr(kStar.size()) : text;
  // An IPv6 address has colons.
  const bool is_address = host.starts_with('[') && host.ends_with(']');
  const std::string_view unfit = is_address ? "/?#@\\* \t\r\n" : "/?#@\\*: \t\r\n";
  if (host.empty() || host.find_first_of(unfit) != std::string_view::npos) return wrong();
  const auto url = url::Url::parse("http://" + std::string(host) + "/");
  if (!url) return wrong();
  const std::string_view name = url->hostname();
  if (name.empty() || (has_star && name.starts_with('['))) return wrong();
  return std::string(has_star ? kStar : std::string_view()) + std::string(name);
}

Result<void> validate(const std::vector<HostOptions>& hosts) {
  std::vector<std::string> names;
  for (const HostOptions& host : hosts) {
    auto name = parse_host_name(host.name);
    if (!name) return fail(std::move(name).error());
    if (*name != host.name)
      return fail(invalid("write '" + *name + "' instead of '" + host.name + "'"));
    names.push_back(std::move(*name));
    if (host.concurrency == 0U)
      return fail(invalid("the concurrency of " + host.name + " must be at least 1"));
    for (const auto* const patterns : {&host.include, &host.exclude}) {
      if (!*patterns) continue;
      if (auto compiled = UrlPatterns::compile(**patterns); !compiled) {
        return fail(std::move(compiled).error());
      }
    }
  }
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  if (twice != names.end()) return fail(invalid("there are two tables for " + *twice));
  return {};
}

HostNames::HostNames(const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool is_new = places_.emplace(names[i], i).second;
    CHECK(is_new, "{} occurs twice", names[i]);
  }
}

// Calls use(index) for each match, until it returns false.
template <class Use>
void HostNames::for_each(std::string_view hostname, Use use) const {
  if (const auto found = places_.find(hostname); found != places_.end() && !use(found->second)) {
    return;
  }
  std::string starred;
  for (std::size_t dot = hostname.find('.'); dot != std::string_view::npos;
       dot = hostname.find('.', dot + 1)) {
    starred.assign("*").append(hostname.substr(dot));
    const auto found = places_.find(starred);
    if (found != places_.end() && !use(found->second)) return;
  }
}

std::optional<std::size_t> HostNames::find(std::string_view hostname) const {
  if (places_.empty()) return std::nullopt;
  std::optional<std::size_t> first;
  for_each(hostname, [&first](std::size_t place) {
    first = place;
    return false;
  });
  return first;
}

std::vector<std::size_t> HostNames::find_all(std::string_view hostname) const {
  std::vector<std::size_t> all;
  for_each(hostname, [&all](std::size_t place) {
    all.push_back(place);
    return true;
  });
  return all;
}

HostTable::HostTable(const std::vector<HostOptions>& hosts) : hosts_(hosts) {
  std::vector<std::string> names;
  for (const HostOptions& host : hosts) names.push_back(host.name);
  names_ = HostNames(names);
  for (HostOptions& host : hosts_) {
    // The names less specific than *.b.c are the ones with a star that match b.c.
    const bool has_star = host.name.starts_with(kStar);
    const std::string name = host.name.substr(has_star ? kStar.size() : 0);
    for (const std::size_t place : names_.find_all(name)) {
      // The table of an exact host does not apply to its subdomains.
      if (hosts[place].name.starts_with(kStar)) fill_in(host, hosts[place]);
    }
  }
}

}  // namespace gossamer::crawler
