// Politeness with options of single hosts.
#pragma once

#include <deque>
#include <string_view>
#include <vector>

#include "frontier/politeness.h"
#include "scope/host_options.h"

namespace gossamer::crawler {

// The politeness options of each host.
class HostManners {
 public:
  HostManners(const std::vector<HostOptions>& hosts, const PolitenessOptions& usual);
  HostManners(const HostManners&) = delete;
  HostManners& operator=(const HostManners&) = delete;

  // BORROWS: for the life of this object; set_usual() changes it in place.
  const PolitenessOptions& of(std::string_view hostname) const;
  void set_usual(const PolitenessOptions& usual);

 private:
  const HostTable table_;
  PolitenessOptions usual_;
  std::deque<PolitenessOptions> special_;  // by index in the table
};

}  // namespace gossamer::crawler
