#include "settings/login_arguments.h"

#include <utility>

#include "scope/url_pattern.h"

namespace gossamer::settings {
namespace {

using options::Concern;
using options::Power;

// The message does not quote the value: it may be a secret.
std::string take_pair(const std::string& text, std::vector<std::string>& into) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return "expected NAME=VALUE";
  into.push_back(text);
  return {};
}

options::Value pairs(std::vector<std::string>& into) {
  options::Value value = options::custom(
      "NAME=VALUE", [&into](const std::string& text) { return take_pair(text, into); });
  value.kind = options::Kind::pair;
  return value;
}

}  // namespace

options::Value host_patterns(std::optional<std::vector<std::string>>& into) {
  return options::custom("REGEX", [&into](const std::string& text) -> std::string {
    if (auto good = crawler::UrlPatterns::compile({&text, 1}); !good) {
      return std::string(good.error().detail());
    }
    if (!into) into.emplace();
    into->push_back(text);
    return {};
  });
}

void declare_logins(options::Table& table, run::IdentitySettings& words) {
  run::LoginSettings& login = words.login;
  using run::HostSettings;
  // The value of the roots, and those of hosts.
  const auto text = [&words](std::string run::LoginSettings::* member,
                             std::string_view placeholder) {
    return with_hosts(
        options::text(words.login.*member, placeholder), words,
        [member](HostSettings& host) { return options::text(host.login.*member, {}); });
  };
  table
      .option("user", text(&run::LoginSettings::user, "NAME[:PASSWORD]"),
              "log in to the roots where required (Basic, Digest)", Concern::crawl, Power::send)
      .is_secret = [](std::string_view user) { return user.contains(':'); };
  options::Value password = {.placeholder = "TEXT"};
  table.host_option(
      "password",
      with_hosts(std::move(password), words,
                 [](HostSettings& host) { return options::text(host.login.password, {}); }),
      "set the password of user", Concern::crawl, Power::send);
  table.option("password-env", text(&run::LoginSettings::password_env, "VARIABLE"),
               "read the password of `user` from this environment variable", Concern::crawl,
               Power::read_files);
  table.flag("netrc", words.netrc, "read passwords from ~/.netrc", Concern::crawl,
             Power::read_files);
  table.option("netrc-file", options::file(words.netrc_file), "read passwords from FILE",
               Concern::crawl, Power::read_files);
  table.option("login-url", text(&run::LoginSettings::url, "URL"),
               "first log in with the form on this page", Concern::crawl, Power::send);
  table
      .repeated("login-field,login-fields",
                with_hosts(pairs(login.fields), words,
                           [](HostSettings& host) { return pairs(host.login.fields); }),
                "fill in a field of the form; env:NAME reads the environment", Concern::crawl,
                Power::read_files)
      .is_secret = [](std::string_view pair) {
    return !pair.substr(pair.find('=') + 1).starts_with("env:");
  };
  table
      .option("login-check", text(&run::LoginSettings::check, "TEXT|URL"),
              "expect this text or URL after the login", Concern::crawl, Power::send)
      .unset = "no login form";
  table.flag("follow-logout", words.follows_logout,
             "follow links that look like a logout, even after a login", Concern::crawl,
             Power::none);
}

}  // namespace gossamer::settings
