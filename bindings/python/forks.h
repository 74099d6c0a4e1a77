// What os.fork() takes away: a child has only the thread that called it.
#pragma once

#include <cstdint>

namespace gossamer::python {

// From now on forks are counted, and no lock of the log is held during one. Call it once. Returns
// false if there is no memory.
bool watch_forks() noexcept;

// The number of forks between the first process and this one.
std::uint64_t fork_count() noexcept;

// Notes that a crawl of this process uses a crawl directory, whose storage has its own threads.
void note_storage() noexcept;
// Returns whether a process before the last fork used one: the threads are missing here, and the
// storage would wait for them for ever.
bool has_lost_storage() noexcept;

}  // namespace gossamer::python
