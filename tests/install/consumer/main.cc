// A program that uses the installed library.

#include <gossamer/loop.h>
#include <gossamer/task.h>

using gossamer::async::Task;

// It goes through the loop, which is in the library, and back.
Task<int> answer() {
  static_cast<void>(co_await gossamer::async::yield_now());
  co_return 42;
}
Task<int> ask() { co_return co_await answer(); }

int main() {
  gossamer::async::Loop loop;
  return loop.run(ask()) == 42 ? 0 : 1;
}
