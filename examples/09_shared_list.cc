// Stage 9: two tasks share a list without a lock. On one loop only one coroutine runs at a time,
// and it is interrupted only at its awaits; between two of them nothing else runs.
#include <gossamer/loop.h>

#include <cstdio>
#include <string>
#include <vector>

using namespace gossamer;

namespace {

// BORROWS: the list, which lives in share() until both have ended.
async::Task<void> append(std::vector<std::string>& list, std::string name) {
  for (int i = 1; i <= 3; ++i) {
    const std::string turn = name + ", turn " + std::to_string(i);
    list.push_back(turn + ": first half");
    list.push_back(turn + ": second half");
    if (!co_await async::yield_now()) co_return;  // only here can the other one run
  }
}

async::Task<void> share() {
  std::vector<std::string> list;
  co_await async::gather(append(list, "alice"), append(list, "bob"));
  for (const std::string& line : list) std::printf("%s\n", line.c_str());
}

}  // namespace

int main() {
  async::Loop loop;
  loop.run(share());
}
