#pragma once

#include <string>

#include "base/time.h"

namespace gossamer::store {

// A page of a shared crawl whose lease had expired when it ended, so that its host belongs to
// another node, which fetches it again.
struct RepeatedPage {
  std::string url;
  // The end of that lease. The page was requested before it; the next holder requests it later.
  WallTime lease_end;
};

}  // namespace gossamer::store
