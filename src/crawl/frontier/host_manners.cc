#include "frontier/host_manners.h"

namespace gossamer::crawler {

HostManners::HostManners(const std::vector<HostOptions>& hosts, const PolitenessOptions& usual)
    : table_(hosts), usual_(usual), special_(hosts.size()) {
  set_usual(usual);
}

void HostManners::set_usual(const PolitenessOptions& usual) {
  usual_ = usual;
  for (std::size_t i = 0; i < special_.size(); ++i) {
    special_[i] = usual;
    if (table_[i].delay) special_[i].delay = table_[i].delay;
    if (table_[i].concurrency) special_[i].host_concurrency = table_[i].concurrency;
  }
}

const PolitenessOptions& HostManners::of(std::string_view hostname) const {
  const auto place = table_.find(hostname);
  return place ? special_[*place] : usual_;
}

}  // namespace gossamer::crawler
