#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "crawl/host_options.h"
#include "crawl/login.h"
#include "http/request.h"
#include "options/table.h"
#include "run/crawl_fields.h"

namespace gossamer::cli {

// Who we are to a site, as it was given. Values are secrets, or say where these are: env:NAME is
// the variable of that name.
struct LoginWords {
  std::string user = {};  // NAME or NAME:PASSWORD
  std::string password = {};
  std::string password_env = {};
  std::string url = {};
  std::vector<std::string> fields = {};  // NAME=VALUE
  std::string check = {};
};

// What a table [host."NAME"] of a configuration says.
struct HostWords {
  crawler::HostOptions options = {};
  std::vector<http::Field> fields = {};
  LoginWords login = {};
};

// All that says who we are.
struct IdentityWords {
  std::string contact = {};  // an address for those whose site is crawled
  LoginWords login = {};     // for the roots
  bool netrc = false;
  std::string netrc_file = {};
  bool follows_logout = false;
  std::map<std::string, HostWords> hosts = {};  // by name
};

// --user, --password-env, --netrc, --netrc-file, --login-url, --login-field, --login-check,
// --follow-logout
void declare_logins(options::Table& table, IdentityWords& words);

// The keys of tables of hosts: those of `command` that make sense for one host, and `password`.
// BORROWS: the words.
options::Table::HostKeys host_keys(const options::CommandTable& command, IdentityWords& words);

// What they come to.
struct Identity {
  std::vector<crawler::HostOptions> hosts = {};
  std::vector<crawler::LoginOptions> logins = {};
};

// Puts fields and passwords into `fields`. Fails with Errc::invalid_argument and a line without
// secrets: a variable that is not set, a login without fields, a file that cannot be read.
Result<Identity> settle_identity(const IdentityWords& words, const std::vector<url::Url>& roots,
                                 run::CrawlFields& fields);

}  // namespace gossamer::cli
