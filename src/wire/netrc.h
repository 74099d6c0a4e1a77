// The .netrc file: which name and password go to which host.
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
// Tokens may stand in quotation marks, with \" \\ \n \r \t in them; # begins a comment where a word
// could begin; macdef and its lines are passed over.
class Netrc {
 public:
  // Fails with Errc::malformed if a word is missing where one must stand, or unknown.
  static Result<Netrc> parse(std::string_view text);

  // The entry of the host, in any case, or the default one. Of several for one host the first whose
  // login is `user`, if that is not empty.
  std::optional<Credentials> find(std::string_view host, std::string_view user = {}) const;
  // There is an entry of this very host.
  bool names(std::string_view host) const;

 private:
  struct Entry {
    std::string machine;  // empty: the default
    Credentials credentials;
  };

  std::vector<Entry> entries_;
};

}  // namespace gossamer::wire
