#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "crawl/host_options.h"
#include "crawl/login.h"
#include "http/request.h"
#include "run/crawl_fields.h"
#include "url/url.h"

namespace gossamer::run {

// Who we are to a site. Values are secrets, or say where these are: env:NAME is the variable of
// that name.
struct LoginSettings {
  std::string user = {};  // NAME or NAME:PASSWORD
  std::string password = {};
  std::string password_env = {};
  std::string url = {};                  // a page with a form
  std::vector<std::string> fields = {};  // of the form, NAME=VALUE
  std::string check = {};                // LoginOptions::check
};

// What holds for one host, or for all below one.
struct HostSettings {
  crawler::HostOptions options = {};
  std::vector<http::Field> fields = {};
  LoginSettings login = {};
};

// All that says who we are.
struct IdentitySettings {
  std::string contact = {};                        // added to the user agent: (+CONTACT)
  std::vector<http::Field> fields = {};            // of requests; secrets go to the roots alone
  LoginSettings login = {};                        // for the roots
  bool netrc = false;                              // passwords from ~/.netrc
  std::string netrc_file = {};                     // or from there
  bool follows_logout = false;                     // even when logged in
  std::map<std::string, HostSettings> hosts = {};  // by name: "a.example", "*.a.example"

  // Passwords may have to be found for the roots.
  bool may_have_passwords() const {
    return netrc || !netrc_file.empty() || !hosts.empty() || !login.user.empty();
  }
};

// What they come to.
struct Identity {
  std::vector<crawler::HostOptions> hosts = {};
  std::vector<crawler::LoginOptions> logins = {};
};

// Puts fields of hosts and passwords into `fields`. Fails with Errc::invalid_argument and a line
// without secrets: a variable that is not set, a login without fields, a file that cannot be read.
Result<Identity> settle_identity(const IdentitySettings& settings,
                                 const std::vector<url::Url>& roots, CrawlFields& fields);

}  // namespace gossamer::run
