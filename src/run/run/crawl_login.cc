#include "run/crawl_login.h"

#include <fmt/format.h>

#include <string>

#include "base/log.h"
#include "engine/setup/login.h"
#include "run/crawl_hooks.h"
#include "run/machine/cookie_file.h"
#include "wire/cookie_jar.h"

namespace gossamer::run {
namespace {

// The URL of the login page without its secrets.
std::string place_of(const crawler::LoginOptions& login) {
  const auto url = crawler::parse_root(login.url);
  return url ? url->origin() + std::string(url->pathname()) : std::string();
}

}  // namespace

async::Task<Outcome<std::vector<wire::Cookie>>> log_in_first(Machine& machine, http::Client& client,
                                                             const CrawlSettings& settings) {
  if (settings.logins.empty()) co_return std::vector<wire::Cookie>();
  wire::CookieJar cookies;
  load_cookies(machine, settings.cookies.load, cookies);
  load_cookies(machine, settings.cookies.jar, cookies);
  crawler::Hooks hooks = hooks_of_loop(settings.fields, {});
  for (const crawler::LoginOptions& login : settings.logins) {
    auto result = co_await crawler::log_in(client, cookies, hooks, login, machine.now());
    if (!result || !result->is_in()) {
      const Errc code = result ? Errc::invalid_argument : result.error().code();
      const std::string why = result ? result->problem : result.error().message();
      co_return fail_in(Part::login,
                        {code, fmt::format("cannot log in at {}: {}", place_of(login), why)});
    }
    LOG(info, "logged in at {}", place_of(login));
  }
  co_return cookies.all(machine.now());
}

}  // namespace gossamer::run
