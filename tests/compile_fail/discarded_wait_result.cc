// A wait can be cancelled: whoever waits has to look how it ended.

#include "async/queue.h"
#include "async/sleep.h"
#include "async/task.h"

using gossamer::async::Queue;
using gossamer::async::Task;

// BORROWS: the queue.
Task<void> feed(Queue<int>& queue);

Task<void> feed(Queue<int>& queue) {
#ifdef MUST_NOT_COMPILE
  co_await queue.push(1);
#else
  if (!co_await queue.push(1)) co_return;
#endif
}
