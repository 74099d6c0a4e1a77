#pragma once

#include <map>
#include <optional>
#include <string>

#include "url/url.h"
#include "wire/authentication.h"
#include "wire/netrc.h"

namespace gossamer::http {

// The user names and passwords of origins. They are valid for exactly that scheme, host and port:
// those for https://a.example/ are never sent to http://a.example/, to https://a.example:8443/ or
// to https://b.a.example/.
class CredentialStore {
 public:
  // Adds credentials for the origin of the URL, whatever its path.
  void add(const url::Url& url, wire::Credentials credentials);
  // Adds the user name and password in a URL, if it has them.
  void add_from(const url::Url& url);
  // Adds credentials for a host, "a.example", or for all hosts below one, "*.a.example"; the most
  // specific entry counts. A host name says nothing about schemes and ports, so these are for https
  // at its default port.
  void add_host(std::string name, wire::Credentials credentials);
  // A .netrc contains only hosts, so its entries are for the default ports of http and https. Its
  // default entry would be for all hosts, also those that links lead to, so it is not used.
  void set_netrc(wire::Netrc netrc) { netrc_ = std::move(netrc); }

  bool empty() const noexcept { return by_origin_.empty() && by_host_.empty() && !netrc_; }

  std::optional<wire::Credentials> find(const url::Url& url) const;

 private:
  std::optional<wire::Credentials> find_host(const url::Url& url) const;

  std::map<std::string, wire::Credentials> by_origin_;
  std::map<std::string, wire::Credentials, std::less<>> by_host_;
  std::optional<wire::Netrc> netrc_;
};

}  // namespace gossamer::http
