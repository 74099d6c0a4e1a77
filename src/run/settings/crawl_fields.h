#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "http/credential_store.h"
#include "http/request.h"
#include "scope/host_options.h"
#include "url/url.h"

namespace gossamer::run {

// The user's header fields (-H), and which hosts may receive them. A crawl follows links to hosts
// that the user does not know, so fields that may be secrets go only to the origins of the roots.
// Only known harmless fields (Accept-Language, Referer, ...) go to all hosts.
//
// The fields of [host."NAME"] in a configuration go only to that host; secrets only over https at
// the default port, or to the origin of a root.
//
// It also holds passwords. Those in the URL of a root are sent with the first request, all others
// only if the server requires them (http/authenticator.h).
class CrawlFields {
 public:
  // Fails with Errc::invalid_argument for an invalid name, a line break in the value, or a field
  // that only the client can set (Host, Content-Length, ...).
  static Result<CrawlFields> make(const std::vector<http::Field>& given);

  // Adds the fields of a host: "a.example", "*.a.example". The most specific name wins. They
  // replace fields of the same name for all hosts. Fails as make() does. REQUIRES: each name once;
  // seal_hosts() follows.
  Result<void> add_host(const std::string& name, const std::vector<http::Field>& given);
  void seal_hosts();

  // Adds a root. Credentials in its URL are a secret of its origin. Fails if they cannot be sent (a
  // colon in the name). REQUIRES: all hosts were added.
  Result<void> add_root(const url::Url& root);

  // Adds a password for a root, sent if its server requires it; also over https instead of http.
  void add_credentials(const url::Url& root, const wire::Credentials& credentials);
  http::CredentialStore& credentials() { return credentials_; }
  const http::CredentialStore& credentials() const { return credentials_; }

  // Fields for all hosts.
  const std::vector<http::Field>& open() const { return open_; }
  bool has_secrets() const {
    return !secrets_.empty() || !hosts_.empty() || has_credentials_ || !credentials_.empty();
  }
  // Adds the fields that this request's origin may receive.
  void edit(http::Request& request) const;

 private:
  struct HostFields {
    std::string name;
    std::vector<http::Field> fields;
  };
  void add_origin(std::string text, const std::string& authorization);
  void add_fields_of_root(http::Request& request, const std::string& authorization) const;
  void add_fields_of_host(http::Request& request, bool is_root) const;

  std::vector<http::Field> open_;
  std::vector<http::Field> secrets_;
  // The credentials in the URLs of roots, by origin ("https://a.example:8443"); empty: none. There
  // may be a million of them.
  std::unordered_map<std::string, std::string> origins_;
  std::vector<HostFields> hosts_;
  crawler::HostNames host_names_;  // of these
  http::CredentialStore credentials_;
  bool has_credentials_ = false;
};

// True for fields that are never secrets, such as Accept-Language and Referer.
bool is_open_field(std::string_view name);

// Returns the name of a user agent in robots.txt: "mybot" for "MyBot/2.0 (+https://...)" and for
// "Mozilla/5.0 (compatible; MyBot/2.0)". Empty: there is none.
std::string product_token(std::string_view user_agent);

}  // namespace gossamer::run
