#include "frontier/claim.h"

#include "frontier/frontier.h"

namespace gossamer::crawler {

void Claim::give_up() noexcept {
  if (frontier_ != nullptr) frontier_->abandon(*this);
}

std::string_view Claim::origin() const { return origin_->name; }

const OriginRules* Claim::rules() const { return frontier_->rules_of(*origin_); }

url::UrlFailure Claim::read_url(url::Url& url) const { return frontier_->read_url(target, url); }

}  // namespace gossamer::crawler
