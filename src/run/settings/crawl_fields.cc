#include "settings/crawl_fields.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "base/ascii.h"
#include "url/code_points.h"
#include "url/percent.h"
#include "wire/authentication.h"
#include "wire/text.h"

namespace gossamer::run {
namespace {

// Fields that are never secrets.
constexpr auto kOpen = std::to_array<std::string_view>({
    "accept",
    "accept-encoding",
    "accept-language",
    "cache-control",
    "dnt",
    "from",
    "pragma",
    "priority",
    "referer",
    "save-data",
    "upgrade-insecure-requests",
    "user-agent",
});

// Fields that only the client can set.
constexpr auto kOwn = std::to_array<std::string_view>({
    "connection",
    "content-length",
    "host",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
});

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::any_of(
      names, [name](std::string_view known) { return base::equals_ignoring_case(name, known); });
}

Result<void> check(const http::Field& field) {
  if (!wire::is_token(field.name)) {
    return fail(Errc::invalid_argument, "'" + field.name + "' is not a valid header name");
  }
  if (!wire::is_field_text(field.value)) {
    return fail(Errc::invalid_argument, "the value of " + field.name + " contains a line break");
  }
  if (is_one_of(field.name, kOwn)) {
    return fail(Errc::invalid_argument, field.name + " cannot be set: Gossamer sets it itself");
  }
  return {};
}

// A request has one Cookie field; for other fields the last value wins.
void put_field(http::Request& request, const http::Field& field) {
  const auto known = std::ranges::find_if(request.fields, [&field](const http::Field& one) {
    return base::equals_ignoring_case(one.name, field.name);
  });
  if (known == request.fields.end()) {
    request.fields.push_back(field);
  } else if (base::equals_ignoring_case(field.name, "cookie")) {
    known->value += "; " + field.value;
  } else {
    known->value = field.value;
  }
}

// Returns the https origin of an http root at the default port: such roots mostly redirect there,
// and it belongs to the same host.
std::string secure_twin(const url::Url& root) {
  if (root.protocol() != "http:" || !root.port().empty()) return {};
  return "https://" + std::string(root.host());
}

}  // namespace

bool is_open_field(std::string_view name) { return is_one_of(name, kOpen); }

Result<CrawlFields> CrawlFields::make(const std::vector<http::Field>& given) {
  CrawlFields fields;
  for (const http::Field& field : given) {
    if (auto good = check(field); !good) return fail(std::move(good).error());
    (is_open_field(field.name) ? fields.open_ : fields.secrets_).push_back(field);
  }
  return fields;
}

Result<void> CrawlFields::add_host(const std::string& name, const std::vector<http::Field>& given) {
  for (const http::Field& field : given) {
    if (auto good = check(field); !good) return good;
  }
  hosts_.push_back({name, given});
  return {};
}

void CrawlFields::seal_hosts() {
  std::vector<std::string> names;
  for (const HostFields& host : hosts_) names.push_back(host.name);
  host_names_ = crawler::HostNames(names);
}

void CrawlFields::add_origin(std::string text, const std::string& authorization) {
  // It would receive nothing.
  if (authorization.empty() && secrets_.empty() && hosts_.empty()) return;
  std::string& known = origins_[std::move(text)];
  if (!authorization.empty()) known = authorization;
}

Result<void> CrawlFields::add_root(const url::Url& root) {
  std::string authorization;
  if (root.has_credentials()) {
    auto written = wire::basic_authorization(
        {url::percent_decoded(root.username()), url::percent_decoded(root.password())});
    if (!written) return fail(std::move(written).error());
    authorization = std::move(*written);
    has_credentials_ = true;
    // Some servers require another authentication scheme.
    add_credentials(root,
                    {url::percent_decoded(root.username()), url::percent_decoded(root.password())});
  }
  add_origin(root.origin(), authorization);
  if (std::string twin = secure_twin(root); !twin.empty()) {
    add_origin(std::move(twin), authorization);
  }
  return {};
}

void CrawlFields::add_credentials(const url::Url& root, const wire::Credentials& credentials) {
  credentials_.add(root, credentials);
  if (const auto twin = url::Url::parse(secure_twin(root))) credentials_.add(*twin, credentials);
}

void CrawlFields::edit(http::Request& request) const {
  const auto origin = origins_.find(request.url.origin());
  const bool is_root = origin != origins_.end();
  if (is_root) add_fields_of_root(request, origin->second);
  if (!hosts_.empty()) add_fields_of_host(request, is_root);
}

void CrawlFields::add_fields_of_host(http::Request& request, bool is_root) const {
  const auto place = host_names_.find(request.url.hostname());
  if (!place) return;
  const bool is_safe =
      request.url.scheme_kind() == url::SchemeKind::https && request.url.port().empty();
  for (const http::Field& field : hosts_[*place].fields) {
    if (is_root || is_safe || is_open_field(field.name)) put_field(request, field);
  }
}

void CrawlFields::add_fields_of_root(http::Request& request,
                                     const std::string& authorization) const {
  if (!authorization.empty()) request.fields.push_back({"Authorization", authorization});
  for (const http::Field& secret : secrets_) {
    const bool is_cookie = base::equals_ignoring_case(secret.name, "cookie");
    const auto jar = std::ranges::find(request.fields, "Cookie", &http::Field::name);
    if (is_cookie && jar != request.fields.end()) {
      jar->value += "; " + secret.value;  // a request has one Cookie field
    } else {
      request.fields.push_back(secret);
    }
  }
}

std::string product_token(std::string_view user_agent) {
  constexpr std::string_view kCompatible = "(compatible;";
  if (const std::size_t at = user_agent.find(kCompatible); at != std::string_view::npos) {
    user_agent.remove_prefix(at + kCompatible.size());
    user_agent.remove_prefix(std::min(user_agent.find_first_not_of(' '), user_agent.size()));
  }
  const auto end = std::ranges::find_if_not(
      user_agent, [](char c) { return url::is_alpha(c) || c == '_' || c == '-'; });
  std::string token(user_agent.begin(), end);
  std::ranges::transform(token, token.begin(), [](char c) { return base::to_lower(c); });
  return token;
}

}  // namespace gossamer::run
