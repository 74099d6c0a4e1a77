#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "frontier/target_queue.h"
#include "store/tables.h"

namespace gossamer::store {

// Returns the length of a file of the archive; empty: there is no such file.
using FileLength = std::move_only_function<std::optional<std::uint64_t>(std::string_view file)>;

// Finds pages whose archive records were lost in a power cut, and queues them as if they had never
// been fetched. Returns their number. If there are any, `beside` is written with the same batch.
// Fails as the tables do.
//
// The result is on the disk when this returns: the archive may reuse the name of a lost file, and
// rows about the old file must not reappear then. Blocks.
// REQUIRES: nothing else uses the tables.
Result<std::size_t> put_back_lost_pages(Tables& tables, crawler::CrawlOrder order,
                                        FileLength length, Batch beside = {});

}  // namespace gossamer::store
