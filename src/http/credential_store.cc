#include "http/credential_store.h"

#include <utility>

#include "url/percent.h"

namespace gossamer::http {
namespace {

std::string decoded(std::string_view text) {
  std::string out;
  url::percent_decode(text, out);
  return out;
}

}  // namespace

void CredentialStore::add(const url::Url& url, wire::Credentials credentials) {
  by_origin_.insert_or_assign(url.origin(), std::move(credentials));
}

void CredentialStore::add_from(const url::Url& url) {
  if (!url.has_credentials()) return;
  add(url, {.user = decoded(url.username()), .password = decoded(url.password())});
}

std::optional<wire::Credentials> CredentialStore::find(const url::Url& url) const {
  if (const auto found = by_origin_.find(url.origin()); found != by_origin_.end()) {
    return found->second;
  }
  const bool is_on_usual_port = url.port().empty();
  if (!netrc_ || !is_on_usual_port) return std::nullopt;
  return netrc_->find(url.hostname());
}

}  // namespace gossamer::http
