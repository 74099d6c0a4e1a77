#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "options/table.h"
#include "settings/identity.h"

namespace gossamer::settings {

// Lets hosts have their own value of a setting. `bind` returns the value of one host.
// BORROWS: the settings, until they are parsed.
template <class Bind>
options::Value with_hosts(options::Value value, run::IdentitySettings& settings, Bind bind) {
  value.take_for_host = [&settings, bind](const std::string& host, const std::string& text) {
    return bind(settings.hosts[host]).take(text);
  };
  return value;
}

// Regular expressions for the URLs of a host. BORROWS: the patterns, until they are parsed.
options::Value host_patterns(std::optional<std::vector<std::string>>& into);

// `user`, `password-env`, `netrc`, `netrc-file`, `login-url`, `login-field`, `login-check`,
// `follow-logout`. BORROWS: the settings, until they are parsed.
void declare_logins(options::Table& table, run::IdentitySettings& settings);

}  // namespace gossamer::settings
