#include "cli/crawl_login.h"

#include <fmt/format.h>

#include <string>

#include "base/log.h"
#include "cli/command.h"
#include "cli/cookie_file.h"
#include "cli/wall_clock.h"
#include "crawl/login.h"
#include "wire/cookie_jar.h"

namespace gossamer::cli {
namespace {

// Where it was tried, without what a URL may hide.
std::string place_of(const crawl::LoginOptions& login) {
  const auto url = crawl::parse_root(login.url);
  return url ? url->origin() + std::string(url->pathname()) : std::string();
}

int exit_code_for_login(const Error& error) {
  const int code = exit_code_for(error);
  return code == kNetworkFailed || code == kTlsFailed ? code : kAuthenticationFailed;
}

}  // namespace

async::Task<std::optional<int>> log_in_first(http::Client& client, CrawlArguments& arguments) {
  if (arguments.crawl.logins.empty()) co_return std::nullopt;
  wire::CookieJar cookies;
  load_cookies(arguments.cookies_to_load, cookies);
  load_cookies(arguments.cookie_jar, cookies);
  crawl::Hooks hooks = make_hooks(arguments.secrets);
  for (const crawl::LoginOptions& login : arguments.crawl.logins) {
    auto result = co_await crawl::log_in(client, cookies, hooks, login, wall_now());
    if (!result || !result->is_in()) {
      const std::string why = result ? result->problem : result.error().to_string();
      static_cast<void>(usage_error(arguments.output.command,
                                    fmt::format("cannot log in at {}: {}", place_of(login), why)));
      co_return result ? kAuthenticationFailed : exit_code_for_login(result.error());
    }
    LOG(info, "logged in at {}", place_of(login));
  }
  arguments.session = cookies.all(wall_now());
  co_return std::nullopt;
}

}  // namespace gossamer::cli
