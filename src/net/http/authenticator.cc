#include "http/authenticator.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/ascii.h"

namespace gossamer::http {
namespace {

// BOUND: folders of one origin; in further ones the server must send its challenge again.
constexpr std::size_t kFoldersMax = 256;
// BOUND: servers that are remembered, and realms of each. Few servers use passwords.
constexpr std::size_t kOriginsMax = 10'000;
constexpr std::size_t kRealmsMax = 16;

constexpr std::string_view kField = "Authorization";
constexpr std::string_view kFirstUse = "nc=00000001";  // of a nonce

// /docs/ of /docs/index.html
std::string folder_of(std::string_view path) {
  return std::string(path.substr(0, path.rfind('/') + 1));
}

const std::string* find_authorization(const Request& request) {
  const auto found = std::ranges::find_if(request.fields, [](const Field& field) {
    return base::equals_ignoring_case(field.name, kField);
  });
  return found == request.fields.end() ? nullptr : &found->value;
}

void set_authorization(Request& request, std::string value) {
  std::erase_if(request.fields,
                [](const Field& field) { return base::equals_ignoring_case(field.name, kField); });
  request.fields.push_back({std::string(kField), std::move(value)});
}

// Returns the paths for which the challenge is valid, without those of other origins.
std::vector<std::string> domain_of(const wire::Challenge& challenge, const url::Url& url) {
  const auto domain = challenge.parameter("domain");
  if (!domain) return {};
  std::vector<std::string> folders;
  for (std::size_t at = 0; at < domain->size() && folders.size() < kFoldersMax;) {
    const std::size_t end = std::min(domain->find(' ', at), domain->size());
    const auto place = url.resolve(domain->substr(at, end - at));
    if (end > at && place && place->origin() == url.origin()) {
      folders.emplace_back(place->pathname());
    }
    at = end + 1;
  }
  return folders;
}

std::vector<std::string> folders_of(const wire::Challenge& challenge, const url::Url& url) {
  if (challenge.scheme == "basic") return {folder_of(url.pathname())};
  std::vector<std::string> folders = domain_of(challenge, url);
  if (folders.empty()) folders.emplace_back("/");
  return folders;
}

bool says_stale(const wire::Challenge& challenge) {
  const auto stale = challenge.parameter("stale");
  return stale && base::equals_ignoring_case(*stale, "true");
}

bool is_same_realm(const wire::Challenge& one, const wire::Challenge& other) {
  return one.scheme == other.scheme && one.parameter("realm") == other.parameter("realm");
}

bool is_same(const wire::Challenge& one, const wire::Challenge& other) {
  return is_same_realm(one, other) && one.parameter("nonce") == other.parameter("nonce");
}

// Returns the length of the longest folder that contains the path; 0 if there is none.
std::size_t nearness(const std::vector<std::string>& folders, std::string_view path) {
  std::size_t longest = 0;
  for (const std::string& folder : folders) {
    if (path.starts_with(folder)) longest = std::max(longest, folder.size());
  }
  return longest;
}

}  // namespace

Result<std::string> Authenticator::write(Known& known, const wire::Credentials& credentials,
                                         const Request& request) {
  if (known.challenge.scheme == "basic") return wire::basic_authorization(credentials);
  const std::string nonce = make_nonce_();
  return wire::digest_authorization(known.challenge, credentials,
                                    {.method = request.method,
                                     .target = request.url.request_target(),
                                     .client_nonce = nonce,
                                     .nonce_count = ++known.nonce_count});
}

void Authenticator::authorize(Request& request) {
  if (by_origin_.empty()) return;
  const auto found = by_origin_.find(request.url.origin());
  if (found == by_origin_.end()) return;
  const std::string_view path = request.url.pathname();
  const auto nearest = std::ranges::max_element(
      found->second, {}, [path](const Known& known) { return nearness(known.folders, path); });
  if (nearest == found->second.end() || nearest->is_refused) return;
  const auto credentials = credentials_.find(request.url);
  if (nearness(nearest->folders, path) == 0 || !credentials) return;
  if (auto written = write(*nearest, *credentials, request)) {
    set_authorization(request, std::move(*written));
  }
}

Authenticator::Known& Authenticator::known_for(const url::Url& url,
                                               const wire::Challenge& challenge) {
  if (by_origin_.size() >= kOriginsMax) by_origin_.clear();
  std::vector<Known>& realms = by_origin_[url.origin()];
  const auto found = std::ranges::find_if(realms, [&challenge](const Known& known) {
    return is_same_realm(known.challenge, challenge);
  });
  if (found != realms.end()) return *found;
  if (realms.size() >= kRealmsMax) realms.clear();
  return realms.emplace_back();
}

bool Authenticator::answer(Request& request, const wire::ResponseHead& head) {
  const auto credentials = credentials_.find(request.url);
  if (!credentials) return false;
  std::vector<wire::Challenge> challenges;
  head.for_each("WWW-Authenticate", [&](std::string_view value) {
    std::ranges::move(wire::parse_challenges(value), std::back_inserter(challenges));
  });
  const wire::Challenge* const chosen = wire::choose_challenge(challenges);
  if (chosen == nullptr) return false;
  Known& known = known_for(request.url, *chosen);
  const std::string* const told = find_authorization(request);
  const bool is_answered =
      told != nullptr && told->size() > chosen->scheme.size() &&
      base::equals_ignoring_case(std::string_view(*told).substr(0, chosen->scheme.size()),
                                 chosen->scheme);
  // A server that forgot its nonce sends a new one. A server that rejects the first use of a nonce,
  // repeats the same challenge, or repeats Basic does not accept the password.
  const bool is_renewed = chosen->scheme == "digest" && !is_same(*chosen, known.challenge) &&
                          told != nullptr && told->find(kFirstUse) == std::string::npos;
  if (is_answered && !says_stale(*chosen) && !is_renewed) {
    known.is_refused = true;
    return false;
  }
  if (known.is_refused) return false;
  if (!is_same(*chosen, known.challenge)) {
    known.challenge = *chosen;
    known.folders.clear();
    known.nonce_count = 0;
  }
  for (std::string& folder : folders_of(*chosen, request.url)) {
    const bool is_known = std::ranges::find(known.folders, folder) != known.folders.end();
    if (!is_known && known.folders.size() < kFoldersMax) known.folders.push_back(std::move(folder));
  }
  auto written = write(known, *credentials, request);
  if (!written) return false;
  set_authorization(request, std::move(*written));
  return true;
}

}  // namespace gossamer::http
