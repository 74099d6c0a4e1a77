// Prints the progress of the crawl every hundred pages.
#include <gossamer/crawl.h>

#include <cstdio>

int main(int argc, char** argv) {
  gossamer::PageStream pages = gossamer::crawl(argc > 1 ? argv[1] : "https://example.com/");
  for (int count = 1; pages.next_page(); ++count) {
    if (count % 100 != 0) continue;
    const gossamer::CrawlProgress now = pages.progress();
    std::printf("%d taken, %zu in flight, %zu waiting\n", count, now.in_flight, now.waiting);
  }
}
