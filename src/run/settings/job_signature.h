// Who wrote the settings of a crawl directory. The last line of job.toml is a comment with a MAC of
// the lines before it. Its key is in the state folder of the user, so only this user on this
// machine can write it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace gossamer::run {

class JobKey {
 public:
  // Reads the key of this user: $XDG_STATE_HOME/gossamer/key, or ~/.local/state/gossamer/key. Fails
  // with Errc::not_found if there is none, and with Errc::denied if others may read or write it.
  static Result<JobKey> find();
  // The same, but makes the key if there is none. Nothing is made in a home of another user.
  static Result<JobKey> find_or_make();

  explicit JobKey(std::string secret) : secret_(std::move(secret)) {}

  // Returns the text with a signature at its end, instead of the one that it may have.
  std::string sign(std::string_view text) const;
  bool has_signed(std::string_view text) const;

 private:
  std::string mac(std::string_view text) const;

  std::string secret_;
};

// Returns why the settings in `text` need the trust of the user, for StoredSettings::doubt: the
// directory `path`, and what is known about it. Empty: this user wrote them on this machine.
std::string doubt_about(std::string_view path, std::string_view text);

}  // namespace gossamer::run
