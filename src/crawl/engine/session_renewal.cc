#include "engine/session_renewal.h"

#include <algorithm>
#include <utility>

#include "async/loop.h"
#include "base/log.h"
#include "http/redirect.h"

namespace gossamer::crawler {
namespace {

// BOUND: a site that ends our session this often does not want us.
constexpr std::uint32_t kRenewalsMax = 3;
// A nonce may have expired in the meantime.
constexpr int kAnswersMax = 2;

const std::string* cookie_of(const http::Request& request) {
  const auto found = std::ranges::find(request.fields, "Cookie", &http::Field::name);
  return found == request.fields.end() ? nullptr : &found->value;
}

bool have_same_cookies(const http::Request& one, const http::Request& other) {
  const std::string* const first = cookie_of(one);
  const std::string* const second = cookie_of(other);
  if (first == nullptr || second == nullptr) return first == second;
  return *first == *second;
}

}  // namespace

// When a session has ended, pages redirect to the login.
const LoginOptions* SessionRenewal::lost_login(const http::Request& request,
                                               const http::Response& response) const {
  if (options_.logins.empty() || renewals_ >= kRenewalsMax) return nullptr;
  const auto target = http::redirect_target(request.url, response);
  if (!target || !*target) return nullptr;
  for (const LoginOptions& login : options_.logins) {
    const auto page = parse_root(login.url);
    if (!page || page->pathname() == request.url.pathname()) continue;
    if (page->hostname() == (*target)->hostname() && page->pathname() == (*target)->pathname()) {
      return &login;
    }
  }
  return nullptr;
}

bool SessionRenewal::is_wanted(const Fetch& fetch, const http::Response& response) const {
  if (response.status() == 401) return static_cast<bool>(hooks_.answer_challenge);
  if (options_.logins.empty()) return false;
  http::Request room;
  return lost_login(fetch.request(room), response) != nullptr;
}

async::Task<Result<http::Request>> SessionRenewal::make(const Claim& claim) {
  auto request = requests_.make(claim);
  if (!request || !hooks_.prepare_request) co_return request;
  auto prepared = co_await hooks_.prepare_request(*request);
  if (!prepared) co_return fail(std::move(prepared).error());
  co_return request;
}

async::Task<Result<void>> SessionRenewal::renew(const LoginOptions& login, const Claim& claim,
                                                http::Request& request) {
  auto lock = co_await renewing_.lock();
  if (!lock) co_return fail(std::move(lock).error());
  auto renewed = co_await make(claim);
  if (!renewed) co_return fail(std::move(renewed).error());
  // Another worker may have logged in since this request was sent.
  if (have_same_cookies(*renewed, request)) {
    if (renewals_ >= kRenewalsMax) co_return {};
    ++renewals_;
    const WallTime now = world_.wall(async::Loop::current().now());
    auto result = co_await log_in(world_.client, cookies_, hooks_, login, now);
    if (!result && result.error() == Errc::cancelled) co_return fail(Errc::cancelled);
    if (!result || !result->is_in()) {
      LOG(warn, "the session ended and the new login failed: {}",
          result ? result->problem : result.error().to_string());
      renewals_ = kRenewalsMax;
      co_return {};
    }
    LOG(info, "the session ended; logged in again");
    renewed = co_await make(claim);
    if (!renewed) co_return fail(std::move(renewed).error());
  }
  request = std::move(*renewed);
  co_return {};
}

async::Task<Result<http::Response>> SessionRenewal::ask_again(Fetch& fetch,
                                                              http::Response response) {
  http::Request& request = fetch.keep_request();
  std::optional<http::Response> answer(std::move(response));
  for (int tries = 0; tries < kAnswersMax; ++tries) {
    const LoginOptions* const lost = tries == 0 ? lost_login(request, *answer) : nullptr;
    if (lost != nullptr) {
      answer.reset();  // the login may need its connection
      auto renewed = co_await renew(*lost, fetch.claim, request);
      if (!renewed) co_return fail(std::move(renewed).error());
    } else if (answer->status() != 401 || !hooks_.answer_challenge ||
               !hooks_.answer_challenge(request, answer->head())) {
      break;
    }
    answer.reset();  // frees its connection
    auto next = co_await world_.client.send(fetch);
    if (!next) co_return fail(std::move(next).error());
    answer.emplace(std::move(*next));
  }
  co_return std::move(*answer);
}

}  // namespace gossamer::crawler
