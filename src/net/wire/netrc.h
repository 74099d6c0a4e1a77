// The .netrc file: the user name and password for each host.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "wire/authentication.h"

namespace gossamer::wire {

//   machine example.com login jan password "two words"
//   default login anonymous password x
//
// Tokens can be quoted, with \" \\
//  \r \t in them; # begins a comment where a word could begin; macdef and its lines are skipped.
class Netrc {
 public:
  // Fails with Errc::malformed if a word is missing or unknown.
  static Result<Netrc> parse(std::string_view text);

  // Returns the entry of the host, in any case, or the default entry. If `user` is not empty, the
  // entry must have that login.
  std::optional<Credentials> find(std::string_view host, std::string_view user = {}) const;
  // Returns whether there is an entry for exactly this host.
  bool names(std::string_view host) const;

 private:
  struct Entry {
    std::string machine;  // empty: the default
    Credentials credentials;
  };

  std::vector<Entry> entries_;
};

}  // namespace gossamer::wire
