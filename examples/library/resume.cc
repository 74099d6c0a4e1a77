// Fetches ten pages with each run, until there are no more. The next run returns the pages that
// this one did not, whether the program ended, crashed or was killed.
#include <gossamer/crawl.h>

#include <cstdio>

int main(int argc, char** argv) {
  gossamer::CrawlSettings settings(argc > 1 ? argv[1] : "https://example.com/");
  settings.job.folder = argc > 2 ? argv[2] : "crawl";
  int count = 0;
  for (const gossamer::Page& page : gossamer::crawl(std::move(settings))) {
    std::printf("%s\n", page.url().c_str());
    if (++count == 10) break;
  }
}
