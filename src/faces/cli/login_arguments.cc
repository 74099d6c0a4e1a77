#include "cli/login_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "cli/web_arguments.h"
#include "scope/host_options.h"
#include "scope/url_pattern.h"

namespace gossamer::cli {
namespace {

using options::Power;

// The message does not quote the value: it may be a secret.
std::string take_pair(const std::string& text, std::vector<std::string>& into) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return "expected NAME=VALUE";
  into.push_back(text);
  return {};
}

std::string take_concurrency(const std::string& text, std::optional<std::uint32_t>& into) {
  constexpr std::uint32_t kMax = 100'000;
  std::uint32_t number = 0;
  std::string problem = options::take_count(text, number, 1);
  if (problem.empty() && number > kMax) problem = fmt::format("must be at most {}", kMax);
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

std::string take_host_key(run::HostSettings& host, const std::string& key,
                          const std::string& value) {
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
  return "cannot be set for a host";
}

constexpr auto kHostKeys = std::to_array<std::string_view>(
    {"delay", "host-concurrency", "include", "exclude", "header", "user", "password-env",
     "login-url", "login-field", "login-check"});

}  // namespace

void declare_logins(options::Table& table, run::IdentitySettings& words) {
  run::LoginSettings& login = words.login;
  table
      .option("--user", options::text(login.user, "NAME[:PASSWORD]"),
              "log in to the roots where required (Basic, Digest)", Power::send)
      .is_secret = [](std::string_view user) { return user.contains(':'); };
  table.option("--password-env", options::text(login.password_env, "VARIABLE"),
               "read the password of --user from this environment variable", Power::read_files);
  table.flag("--netrc", words.netrc, "read passwords from ~/.netrc", Power::read_files);
  table.option("--netrc-file", options::file(words.netrc_file), "read passwords from FILE",
               Power::read_files);
  table.option("--login-url", options::text(login.url, "URL"),
               "first log in with the form on this page", Power::send);
  options::Value field = options::custom(
      "NAME=VALUE", [&login](const std::string& text) { return take_pair(text, login.fields); });
  field.kind = options::Kind::pair;
  table
      .repeated("--login-field,--login-fields", std::move(field),
                "fill in a field of the form; env:NAME reads the environment", Power::read_files)
      .is_secret = [](std::string_view pair) {
    return !pair.substr(pair.find('=') + 1).starts_with("env:");
  };
  table
      .option("--login-check", options::text(login.check, "TEXT|URL"),
              "expect this text or URL after the login", Power::send)
      .unset = "no login form";
  table.flag("--follow-logout", words.follows_logout,
             "follow links that look like a logout, even after a login", Power::none);
}

options::Table::HostKeys host_keys(const options::CommandTable& command,
                                   run::IdentitySettings& words) {
  options::Table::HostKeys keys;
  keys.parse_name = crawler::parse_host_name;
  for (const std::string_view key : kHostKeys) {
    const auto option = std::ranges::find(command.options, key, &options::Option::key);
    if (option != command.options.end()) keys.options.push_back(*option);
    if (key == "user") {
      keys.options.push_back({.key = "password",
                              .help = "set the password of user",
                              .use = options::Use::single,
                              .placeholder = "TEXT",
                              .power = Power::send});
    }
  }
  keys.take = [&words](const std::string& host, const std::string& key, const std::string& value) {
    return take_host_key(words.hosts[host], key, value);
  };
  return keys;
}

}  // namespace gossamer::cli
