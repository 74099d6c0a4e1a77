#include "settings/identity.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/setup/options.h"
#include "wire/authentication.h"
#include "wire/netrc.h"

namespace gossamer::run {
namespace {

constexpr std::string_view kEnvironment = "env:";

Result<std::string> variable(const std::string& name) {
  const char* const value = name.empty() ? nullptr : std::getenv(name.c_str());
  if (value == nullptr) {
    return fail(Errc::invalid_argument, "environment variable " + name + " is not set");
  }
  return std::string(value);
}

// Empty: there are none.
Result<std::optional<wire::Credentials>> credentials_of(const LoginSettings& words) {
  if (words.user.empty()) {
    if (words.password.empty() && words.password_env.empty()) return std::nullopt;
    return fail(Errc::invalid_argument, "a password requires a user name: `user` NAME");
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
    return fail(Errc::invalid_argument, "the user or password contains a control character");
  }
  return credentials;
}

// Empty: there is none.
Result<std::optional<crawler::LoginOptions>> login_of(const LoginSettings& words) {
  if (words.url.empty()) {
    if (words.fields.empty() && words.check.empty()) return std::nullopt;
    return fail(Errc::invalid_argument, "a login requires `login-url` URL");
  }
  if (words.fields.empty()) {
    return fail(Errc::invalid_argument, "a login requires fields: `login-field` NAME=VALUE");
  }
  crawler::LoginOptions login = {.url = words.url, .fields = {}, .check = words.check};
  for (const std::string& field : words.fields) {
    const std::size_t equals = field.find('=');
    auto value = resolve_secret(field.substr(equals + 1));
    if (!value) return fail(std::move(value).error());
    login.fields.emplace_back(field.substr(0, equals), std::move(*value));
  }
  if (auto good = crawler::validate(login); !good) return fail(std::move(good).error());
  return login;
}

Result<wire::Netrc> read_netrc(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  file.peek();  // a folder can be opened, but not read
  if (!file)
    return fail(Errc::invalid_argument,
                fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  auto netrc = wire::Netrc::parse(std::string(std::istreambuf_iterator<char>(file), {}));
  if (!netrc)
    return fail(Errc::invalid_argument, path + ": " + std::string(netrc.error().detail()));
  return netrc;
}

Result<void> add_netrc(const IdentitySettings& words, const std::vector<url::Url>& roots,
                       CrawlFields& fields) {
  std::string path = words.netrc_file;
  if (const char* home = std::getenv("HOME"); path.empty() && words.netrc && home != nullptr) {
    path = std::string(home) + "/.netrc";
  }
  if (path.empty()) return {};
  auto netrc = read_netrc(path);
  if (!netrc) return fail(std::move(netrc).error());
  // The user named the roots, so any port is allowed.
  for (const url::Url& root : roots) {
    const auto found = netrc->find(root.hostname());
    if (found) fields.add_credentials(root, *found);
  }
  fields.credentials().set_netrc(std::move(*netrc));
  return {};
}

// Adds the table to an error: "[host."a.example"]: ...".
Error of_host(const std::string& name, const Error& error) {
  return {Errc::invalid_argument, fmt::format("[host.\"{}\"]: {}", name, error.detail())};
}

Result<void> add_host(const std::string& name, const HostSettings& host, CrawlFields& fields,
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
    return fail(of_host(name, {Errc::invalid_argument, "login-url is on another host"}));
  }
  identity.logins.push_back(std::move(**login));
  return {};
}

// Passwords of host tables apply at other ports and without https only to the roots themselves.
Result<void> add_passwords_of_roots(const IdentitySettings& words,
                                    const std::vector<url::Url>& roots, CrawlFields& fields) {
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

Result<std::string> resolve_secret(const std::string& text) {
  if (!text.starts_with(kEnvironment)) return text;
  return variable(text.substr(kEnvironment.size()));
}

Result<Identity> resolve_identity(const IdentitySettings& words, const std::vector<url::Url>& roots,
                                  CrawlFields& fields) {
  Identity identity;
  // The last password of an origin wins, so the least specific comes first.
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

}  // namespace gossamer::run
