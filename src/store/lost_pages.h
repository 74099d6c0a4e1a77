#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "crawl/record.h"
#include "store/ledger.h"

namespace gossamer::store {

// How long a file of the archive is; nothing: there is none.
using FileLength = std::move_only_function<std::optional<std::uint64_t>(std::string_view file)>;

// Pages that the tables say are in the archive, and whose records the power cut took. Their rows go
// with the next commit; whoever gets them has them asked for again before that.
Result<std::vector<crawl::FetchRecord>> take_lost_pages(Ledger& ledger, FileLength length);

}  // namespace gossamer::store
