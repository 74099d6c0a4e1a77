#include "mirror/pages.h"

#include <utility>

namespace gossamer::mirror {

bool Pages::add_copy(const url::Url& url, std::string name) {
  return copies_.try_emplace(std::string(identity_.normal_form(url)), std::move(name)).second;
}

void Pages::remove_copy(const url::Url& url) {
  copies_.erase(std::string(identity_.normal_form(url)));
}

void Pages::add_redirect(const url::Url& from, const url::Url& to) {
  std::string source(identity_.normal_form(from));
  redirects_.try_emplace(std::move(source), identity_.normal_form(to));
}

std::optional<std::string_view> Pages::find(const url::Url& url) const {
  std::string at(identity_.normal_form(url));
  for (int i = 0; i <= kRedirectsMax; ++i) {
    if (const auto copy = copies_.find(at); copy != copies_.end()) return copy->second;
    const auto redirect = redirects_.find(at);
    if (redirect == redirects_.end()) return {};
    at = redirect->second;
  }
  return {};
}

}  // namespace gossamer::mirror
