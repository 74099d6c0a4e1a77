#include "http/credential_store.h"

#include <utility>

#include "url/percent.h"

namespace gossamer::http {
void CredentialStore::add(const url::Url& url, wire::Credentials credentials) {
  by_origin_.insert_or_assign(url.origin(), std::move(credentials));
}

void CredentialStore::add_from(const url::Url& url) {
  if (!url.has_credentials()) return;
  add(url, {.user = url::percent_decoded(url.username()),
            .password = url::percent_decoded(url.password())});
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
