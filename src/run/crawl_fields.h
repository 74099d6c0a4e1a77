#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "crawl/host_options.h"
#include "http/credential_store.h"
#include "http/request.h"
#include "url/url.h"

namespace gossamer::run {

// The fields that the user wants to be sent (-H), and to whom they may be told. A crawl follows
// links to hosts that the user never heard of: what may be a secret goes to the origins of the
// roots alone, and only what is known to be none (Accept-Language, Referer, ...) to everybody.
//
// What belongs to a host by name ([host."NAME"] of a configuration) goes to that host alone; a
// secret only by https at the usual port, or to the origin of a root.
//
// Passwords are kept here, too. Those in the URL of a root are told at once, all others only to a
// server that asks for them (http/authenticator.h).
class CrawlFields {
 public:
  // Fails with Errc::invalid_argument: no name of a field, a line break in the value, or a field
  // that only the client can fill in (Host, Content-Length, ...).
  static Result<CrawlFields> make(const std::vector<http::Field>& given);

  // Fields of a host: "a.example", "*.a.example". Of several names the most specific counts. They
  // take the place of those of the same name that go to all. Fails as make() does.
  // REQUIRES: no name twice; seal_hosts() follows.
  Result<void> add_host(const std::string& name, const std::vector<http::Field>& given);
  void seal_hosts();

  // Credentials in its URL are a secret of its origin. Fails if they cannot be told (a colon in the
  // name). REQUIRES: all hosts were added.
  Result<void> add_root(const url::Url& root);

  // For a root, to be told if its server asks; also by https in place of http.
  void add_credentials(const url::Url& root, const wire::Credentials& credentials);
  http::CredentialStore& credentials() { return credentials_; }
  const http::CredentialStore& credentials() const { return credentials_; }

  // For everybody.
  const std::vector<http::Field>& open() const { return open_; }
  bool has_secrets() const {
    return !secrets_.empty() || !hosts_.empty() || has_credentials_ || !credentials_.empty();
  }
  // Adds what this request's origin may be told.
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
  // What is told to the origins of roots, "https://a.example:8443", from the URL of the root;
  // empty: nothing. There may be a million of them.
  std::unordered_map<std::string, std::string> origins_;
  std::vector<HostFields> hosts_;
  crawler::HostNames host_names_;  // of these
  http::CredentialStore credentials_;
  bool has_credentials_ = false;
};

// Known to be no secret: Accept-Language, Referer and their like.
bool is_open_field(std::string_view name);

// By which name robots.txt calls a crawler of this user agent: "mybot" of "MyBot/2.0
// (+https://...)" and of "Mozilla/5.0 (compatible; MyBot/2.0)". Empty: there is none.
std::string product_token(std::string_view user_agent);

}  // namespace gossamer::run
