#include "http/credential_store.h"

#include <utility>

#include "url/percent.h"

namespace gossamer::http {
void CredentialStore::add(const url::Url& url, wire::Credentials credentials) {
  by_origin_.insert_or_assign(url.origin(), std::move(credentials));
}

void CredentialStore::add_host(std::string name, wire::Credentials credentials) {
  by_host_.insert_or_assign(std::move(name), std::move(credentials));
}

std::optional<wire::Credentials> CredentialStore::find_host(const url::Url& url) const {
  if (by_host_.empty() || url.scheme_kind() != url::SchemeKind::https) return std::nullopt;
  const std::string_view host = url.hostname();
  if (const auto found = by_host_.find(host); found != by_host_.end()) return found->second;
  for (std::size_t dot = host.find('.'); dot != std::string_view::npos;
       dot = host.find('.', dot + 1)) {
    const auto found = by_host_.find("*" + std::string(host.substr(dot)));
    if (found != by_host_.end()) return found->second;
  }
  return std::nullopt;
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
  if (!is_on_usual_port) return std::nullopt;
  if (auto found = find_host(url)) return found;
  if (!netrc_ || !netrc_->names(url.hostname())) return std::nullopt;
  return netrc_->find(url.hostname());
}

}  // namespace gossamer::http
