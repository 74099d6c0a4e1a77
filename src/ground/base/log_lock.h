// For programs that fork() while other threads log.
#pragma once

namespace gossamer::base {

// Between these calls no thread writes a record, so that a child can log. Call the first before
// fork() and the second after it, in the child, too.
void lock_log();
void unlock_log();

}  // namespace gossamer::base
