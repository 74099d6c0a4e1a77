// Stage 8: an asynchronous generator. It produces values one at a time, may wait between them, and
// receives replies: co_yield returns what the consumer sends.
#include <gossamer/loop.h>

#include <cstdio>

using namespace gossamer;

namespace {

async::AsyncGenerator<int, int> twice_the_square() {
  int x = 1;
  for (;;) {
    if (!co_await async::sleep(1ms)) co_return;  // cancelled
    x = co_yield 2 * x * x;
  }
}

async::Task<void> converse() {
  auto generator = twice_the_square();
  auto answer = co_await generator.next();
  for (int i = 0; answer && i < 3; ++i) {
    std::printf("%d\n", *answer);
    answer = co_await generator.send(*answer);
  }
  if (answer) std::printf("%d\n", *answer);
}

}  // namespace

int main() {
  async::Loop loop;
  loop.run(converse());
}
