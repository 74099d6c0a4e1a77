// Crawls two sites concurrently, on one thread each.
#include <gossamer/crawl.h>

#include <cstdio>
#include <string>
#include <thread>

namespace {

void count_pages(const std::string& url) {
  int count = 0;
  for (const gossamer::Page& page : gossamer::crawl(url)) count += page.status() == 200 ? 1 : 0;
  std::printf("%s %d\n", url.c_str(), count);
}

}  // namespace

int main(int argc, char** argv) {
  std::thread other(count_pages, argc > 1 ? argv[1] : "https://example.com/");
  count_pages(argc > 2 ? argv[2] : "https://example.org/");
  other.join();
}
