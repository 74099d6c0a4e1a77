#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/request.h"
#include "url/url.h"

namespace gossamer::cli {

// The fields that the user wants to be sent (-H), and to whom they may be told. A crawl follows
// links to hosts that the user never heard of: what may be a secret goes to the origins of the
// roots alone, and only what is known to be none (Accept-Language, Referer, ...) to everybody.
class CrawlFields {
 public:
  // Fails with Errc::invalid_argument: no name of a field, a line break in the value, or a field
  // that only the client can fill in (Host, Content-Length, ...).
  static Result<CrawlFields> make(const std::vector<http::Field>& given);

  // Credentials in its URL are a secret of its origin. Fails if they cannot be told (a colon in the
  // name).
  Result<void> add_root(const url::Url& root);

  // For everybody.
  const std::vector<http::Field>& open() const { return open_; }
  bool has_secrets() const { return !secrets_.empty() || has_credentials_; }
  // Adds what this request's origin may be told.
  void edit(http::Request& request) const;

 private:
  struct Origin {
    std::string text;           // "https://a.example:8443"
    std::string authorization;  // from the root's URL; empty: none
  };
  void add_origin(std::string text, const std::string& authorization);

  std::vector<http::Field> open_;
  std::vector<http::Field> secrets_;
  std::vector<Origin> origins_;
  bool has_credentials_ = false;
};

// Known to be no secret: Accept-Language, Referer and their like.
bool is_open_field(std::string_view name);

// By which name robots.txt calls a crawler of this user agent: "mybot" of "MyBot/2.0
// (+https://...)" and of "Mozilla/5.0 (compatible; MyBot/2.0)". Empty: there is none.
std::string product_token(std::string_view user_agent);

}  // namespace gossamer::cli
