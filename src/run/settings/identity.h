#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/setup/login.h"
#include "http/request.h"
#include "scope/host_options.h"
#include "settings/crawl_fields.h"
#include "url/url.h"

namespace gossamer::run {

// The login to a site. A value is a secret, or env:NAME for the secret in that environment
// variable.
struct LoginSettings {
  std::string user = {};  // NAME or NAME:PASSWORD
  std::string password = {};
  std::string password_env = {};
  std::string url = {};                  // a page with a form
  std::vector<std::string> fields = {};  // of the form, NAME=VALUE
  std::string check = {};                // LoginOptions::check
};

// The settings of one host, or of all its subdomains.
struct HostSettings {
  crawler::HostOptions options = {};
  std::vector<http::Field> fields = {};
  LoginSettings login = {};
};

// Everything that identifies us to sites.
struct IdentitySettings {
  std::string contact = {};                        // added to the user agent: (+CONTACT)
  std::vector<http::Field> fields = {};            // of requests; secrets go only to the roots
  LoginSettings login = {};                        // for the roots
  bool netrc = false;                              // passwords from ~/.netrc
  std::string netrc_file = {};                     // or from this file
  bool follows_logout = false;                     // even after a login
  std::map<std::string, HostSettings> hosts = {};  // by name: "a.example", "*.a.example"

  // True if the roots may need passwords.
  bool may_have_passwords() const {
    return netrc || !netrc_file.empty() || !hosts.empty() || !login.user.empty();
  }
};

// The resolved identity.
struct Identity {
  std::vector<crawler::HostOptions> hosts = {};
  std::vector<crawler::LoginOptions> logins = {};
};

// Returns the secret that a text is, or the one that env:NAME names. Fails with
// Errc::invalid_argument if that variable is not set.
Result<std::string> resolve_secret(const std::string& text);

// Adds the fields of hosts and the passwords to `fields`. Fails with Errc::invalid_argument and a
// line without secrets: an unset variable, a login without fields, an unreadable file.
Result<Identity> resolve_identity(const IdentitySettings& settings,
                                  const std::vector<url::Url>& roots, CrawlFields& fields);

}  // namespace gossamer::run
