// A program that uses the installed library.

#include <gossamer/loop.h>
#include <gossamer/task.h>

gossamer::async::Task<int> answer() { co_return 42; }

int main() {
  gossamer::async::Loop loop;
  return loop.run(answer()) == 42 ? 0 : 1;
}
