#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "crawl/frontier/target_queue.h"
#include "store/tables.h"

namespace gossamer::store {

// How long a file of the archive is; nothing: there is none.
using FileLength = std::move_only_function<std::optional<std::uint64_t>(std::string_view file)>;

// Pages that the tables say are in the archive, and whose records a power cut took, wait again as
// if they had never been asked for. Gives how many; if there are any, `beside` is written with
// that. Fails as the tables do.
//
// It is on the disk when this ends: the archive may use the name of a lost file again, and what the
// tables say of the old one must not come back then. Blocks for as long.
// REQUIRES: nobody else is at work on the tables.
Result<std::size_t> put_back_lost_pages(Tables& tables, crawler::CrawlOrder order,
                                        FileLength length, Batch beside = {});

}  // namespace gossamer::store
