#include "cli/login_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include "cli/command.h"
#include "cli/web_arguments.h"
#include "crawl/host_options.h"
#include "crawl/options.h"
#include "crawl/scope/url_pattern.h"
#include "wire/authentication.h"
#include "wire/netrc.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kEnvironment = "env:";

// Not what it says: it may be a secret.
std::string take_pair(const std::string& text, std::vector<std::string>& into) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return "takes NAME=VALUE";
  into.push_back(text);
  return {};
}

std::string take_concurrency(const std::string& text, std::optional<std::uint32_t>& into) {
  constexpr std::uint32_t kMax = 100'000;
  std::uint32_t number = 0;
  std::string problem = options::take_count(text, number, 1);
  if (problem.empty() && number > kMax) problem = fmt::format("is at most {}", kMax);
  if (problem.empty()) into = number;
  return problem;
}

std::string take_delay(const std::string& text, std::optional<Duration>& into) {
  Duration delay = Duration::zero();
  std::string problem = options::take_duration(text, delay);
  if (problem.empty()) into = delay;
  return problem;
}

std::string take_text(const std::string& text, std::string& into) {
  into = text;
  return {};
}

std::string take_pattern(const std::string& text, std::optional<std::vector<std::string>>& into) {
  if (auto good = crawler::UrlPatterns::compile({&text, 1}); !good) {
    return std::string(good.error().detail());
  }
  if (!into) into.emplace();
  into->push_back(text);
  return {};
}

std::string take_host_key(HostWords& host, const std::string& key, const std::string& value) {
  if (key == "delay") return take_delay(value, host.options.delay);
  if (key == "host-concurrency") return take_concurrency(value, host.options.concurrency);
  if (key == "include") return take_pattern(value, host.options.include);
  if (key == "exclude") return take_pattern(value, host.options.exclude);
  if (key == "header") return take_field(value, host.fields);
  if (key == "user") return take_text(value, host.login.user);
  if (key == "password") return take_text(value, host.login.password);
  if (key == "password-env") return take_text(value, host.login.password_env);
  if (key == "login-url") return take_text(value, host.login.url);
  if (key == "login-field") return take_pair(value, host.login.fields);
  if (key == "login-check") return take_text(value, host.login.check);
  return "means nothing for a host";
}

constexpr auto kHostKeys = std::to_array<std::string_view>(
    {"delay", "host-concurrency", "include", "exclude", "header", "user", "password-env",
     "login-url", "login-field", "login-check"});

Result<std::string> variable(const std::string& name) {
  const char* const value = name.empty() ? nullptr : std::getenv(name.c_str());
  if (value == nullptr) {
    return fail(Errc::invalid_argument, "the environment has no variable " + name);
  }
  return std::string(value);
}

// The value, or that of the variable that it names.
Result<std::string> resolved(const std::string& value) {
  if (!value.starts_with(kEnvironment)) return value;
  return variable(value.substr(kEnvironment.size()));
}

// Nothing: there are none.
Result<std::optional<wire::Credentials>> credentials_of(const LoginWords& words) {
  if (words.user.empty()) {
    if (words.password.empty() && words.password_env.empty()) return std::nullopt;
    return fail(Errc::invalid_argument, "a password needs a user");
  }
  const std::size_t colon = words.user.find(':');
  wire::Credentials credentials = {.user = words.user.substr(0, colon), .password = {}};
  if (colon != std::string::npos) credentials.password = words.user.substr(colon + 1);
  if (!words.password.empty()) credentials.password = words.password;
  if (!words.password_env.empty()) {
    auto password = variable(words.password_env);
    if (!password) return fail(std::move(password).error());
    credentials.password = std::move(*password);
  }
  if (auto good = wire::basic_authorization(credentials); !good) {
    return fail(Errc::invalid_argument, "the user or password has a control character");
  }
  return credentials;
}

// Nothing: there is none.
Result<std::optional<crawler::LoginOptions>> login_of(const LoginWords& words) {
  if (words.url.empty()) {
    if (words.fields.empty() && words.check.empty()) return std::nullopt;
    return fail(Errc::invalid_argument, "a login needs its page: --login-url URL");
  }
  if (words.fields.empty()) {
    return fail(Errc::invalid_argument,
                "a login needs fields to fill in: --login-field NAME=VALUE");
  }
  crawler::LoginOptions login = {.url = words.url, .fields = {}, .check = words.check};
  for (const std::string& field : words.fields) {
    const std::size_t equals = field.find('=');
    auto value = resolved(field.substr(equals + 1));
    if (!value) return fail(std::move(value).error());
    login.fields.emplace_back(field.substr(0, equals), std::move(*value));
  }
  if (auto good = crawler::validate(login); !good) return fail(std::move(good).error());
  return login;
}

Result<wire::Netrc> read_netrc(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(Errc::invalid_argument, cannot_read(path));
  auto netrc = wire::Netrc::parse(std::string(std::istreambuf_iterator<char>(file), {}));
  if (!netrc)
    return fail(Errc::invalid_argument, path + ": " + std::string(netrc.error().detail()));
  return netrc;
}

Result<void> add_netrc(const IdentityWords& words, const std::vector<url::Url>& roots,
                       run::CrawlFields& fields) {
  std::string path = words.netrc_file;
  if (const char* home = std::getenv("HOME"); path.empty() && words.netrc && home != nullptr) {
    path = std::string(home) + "/.netrc";
  }
  if (path.empty()) return {};
  auto netrc = read_netrc(path);
  if (!netrc) return fail(std::move(netrc).error());
  // The user named the roots, so their ports need not be the usual ones.
  for (const url::Url& root : roots) {
    const auto found = netrc->find(root.hostname());
    if (found) fields.add_credentials(root, *found);
  }
  fields.credentials().set_netrc(std::move(*netrc), false);
  return {};
}

// In the words of a table: "[host."a.example"]: ...".
Error of_host(const std::string& name, const Error& error) {
  return {Errc::invalid_argument, fmt::format("[host.\"{}\"]: {}", name, error.detail())};
}

Result<void> add_host(const std::string& name, const HostWords& host, run::CrawlFields& fields,
                      Identity& identity) {
  crawler::HostOptions options = host.options;
  options.name = name;
  identity.hosts.push_back(std::move(options));
  if (!host.fields.empty()) {
    if (auto added = fields.add_host(name, host.fields); !added) {
      return fail(of_host(name, added.error()));
    }
  }
  auto credentials = credentials_of(host.login);
  if (!credentials) return fail(of_host(name, credentials.error()));
  if (*credentials) fields.credentials().add_host(name, **credentials);
  auto login = login_of(host.login);
  if (!login) return fail(of_host(name, login.error()));
  if (!*login) return {};
  const auto page = crawler::parse_root((*login)->url);
  if (!crawler::HostNames({name}).find(page->hostname())) {
    return fail(of_host(name, {Errc::invalid_argument, "login-url is of another host"}));
  }
  identity.logins.push_back(std::move(**login));
  return {};
}

// Passwords of tables hold at other ports, and without https, only for the roots themselves.
Result<void> add_passwords_of_roots(const IdentityWords& words, const std::vector<url::Url>& roots,
                                    run::CrawlFields& fields) {
  std::vector<std::string> names;
  std::vector<wire::Credentials> passwords;
  for (const auto& [name, host] : words.hosts) {
    auto credentials = credentials_of(host.login);
    if (!credentials) return fail(of_host(name, credentials.error()));
    if (!*credentials) continue;
    names.push_back(name);
    passwords.push_back(std::move(**credentials));
  }
  const crawler::HostNames known(names);
  for (const url::Url& root : roots) {
    const auto place = known.find(root.hostname());
    if (place) fields.add_credentials(root, passwords[*place]);
  }
  return {};
}

}  // namespace

void declare_logins(options::Table& table, IdentityWords& words) {
  LoginWords& login = words.login;
  table
      .option("--user", options::text(login.user, "NAME[:PASSWORD]"),
              "for the roots, if they ask for it (Basic, Digest)")
      .is_secret = [](std::string_view user) { return user.contains(':'); };
  table.option("--password-env", options::text(login.password_env, "VARIABLE"),
               "the environment variable that has the password of --user");
  table.flag("--netrc", words.netrc, "passwords from ~/.netrc");
  table.option("--netrc-file", options::file(words.netrc_file), "passwords from there");
  table.option("--login-url", options::text(login.url, "URL"),
               "log in with the form of this page first");
  options::Value field = options::custom(
      "NAME=VALUE", [&login](const std::string& text) { return take_pair(text, login.fields); });
  field.kind = options::Kind::pair;
  table
      .repeated("--login-field,--login-fields", std::move(field),
                "fill this in; env:NAME takes the value from the environment")
      .is_secret = [](std::string_view pair) {
    return !pair.substr(pair.find('=') + 1).starts_with("env:");
  };
  table
      .option("--login-check", options::text(login.check, "TEXT|URL"),
              "the page after the login has this text, or this URL is there")
      .unset = "no form again";
  table.flag("--follow-logout", words.follows_logout,
             "follow links that look like a logout, even when logged in");
}

options::Table::HostKeys host_keys(const options::CommandTable& command, IdentityWords& words) {
  options::Table::HostKeys keys;
  keys.parse_name = crawler::parse_host_name;
  for (const std::string_view key : kHostKeys) {
    const auto option = std::ranges::find(command.options, key, &options::Option::key);
    if (option != command.options.end()) keys.options.push_back(*option);
    if (key == "user") {
      keys.options.push_back({.key = "password",
                              .help = "the password of user",
                              .use = options::Use::single,
                              .placeholder = "TEXT"});
    }
  }
  keys.take = [&words](const std::string& host, const std::string& key, const std::string& value) {
    return take_host_key(words.hosts[host], key, value);
  };
  return keys;
}

Result<Identity> settle_identity(const IdentityWords& words, const std::vector<url::Url>& roots,
                                 run::CrawlFields& fields) {
  Identity identity;
  // Of what is given for one origin the last counts, so the least specific comes first.
  if (auto added = add_netrc(words, roots, fields); !added) return fail(std::move(added).error());
  auto credentials = credentials_of(words.login);
  if (!credentials) return fail(std::move(credentials).error());
  if (*credentials) {
    for (const url::Url& root : roots) fields.add_credentials(root, **credentials);
  }
  for (const auto& [name, host] : words.hosts) {
    if (auto added = add_host(name, host, fields, identity); !added) {
      return fail(std::move(added).error());
    }
  }
  fields.seal_hosts();
  if (auto added = add_passwords_of_roots(words, roots, fields); !added) {
    return fail(std::move(added).error());
  }
  auto login = login_of(words.login);
  if (!login) return fail(std::move(login).error());
  if (*login) identity.logins.push_back(std::move(**login));
  return identity;
}

}  // namespace gossamer::cli
