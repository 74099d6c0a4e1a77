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
  // For a host, "a.example", or all hosts below one, "*.a.example"; the most specific counts. A
  // host's name says nothing about schemes and ports, so these are for https at its usual port.
  void add_host(std::string name, wire::Credentials credentials);
  // A .netrc knows hosts only, so its entries are for the usual ports of http and https. Its
  // default entry is for all of them: not for those who go where strangers lead them.
  void set_netrc(wire::Netrc netrc, bool has_default = true) {
    netrc_ = std::move(netrc);
    has_default_ = has_default;
  }

  bool empty() const noexcept { return by_origin_.empty() && by_host_.empty() && !netrc_; }

  std::optional<wire::Credentials> find(const url::Url& url) const;

 private:
  std::optional<wire::Credentials> find_host(const url::Url& url) const;

  std::map<std::string, wire::Credentials> by_origin_;
  std::map<std::string, wire::Credentials, std::less<>> by_host_;
  std::optional<wire::Netrc> netrc_;
  bool has_default_ = true;
};

}  // namespace gossamer::http
