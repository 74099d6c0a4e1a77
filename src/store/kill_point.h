#pragma once

#include <string_view>

namespace gossamer::store {

// For tests of what survives: with GOSSAMER_KILL_AT=NAME:N in the environment the process kills
// itself when it passes the point of that name for the N-th time. Costs a comparison otherwise.
void pass_kill_point(std::string_view name) noexcept;

// All there are.
inline constexpr std::string_view kKillPoints[] = {
    "archive-append", "archive-appended", "archive-close", "archive-renamed",
    "commit",         "committed",        "sync-archive",  "sync-tables",
    "synced",         "job-settings",     "job-opened",
};

}  // namespace gossamer::store
