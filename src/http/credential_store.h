#pragma once

#include <map>
#include <optional>
#include <string>

#include "url/url.h"
#include "wire/authentication.h"
#include "wire/netrc.h"

namespace gossamer::http {

// Which name and password belong to which origin. They are for that scheme, host and port and for
// no other: what was given for https://a.example/ is not told to http://a.example/, to
// https://a.example:8443/ or to https://b.a.example/.
class CredentialStore {
 public:
  // For the origin of the URL, whatever its path is.
  void add(const url::Url& url, wire::Credentials credentials);
  // The user name and password in a URL, if it has them.
  void add_from(const url::Url& url);
  // A .netrc knows hosts only, so its entries are for the usual ports of http and https.
  void set_netrc(wire::Netrc netrc) { netrc_ = std::move(netrc); }

  std::optional<wire::Credentials> find(const url::Url& url) const;

 private:
  std::map<std::string, wire::Credentials> by_origin_;
  std::optional<wire::Netrc> netrc_;
};

}  // namespace gossamer::http
