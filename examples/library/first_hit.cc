// Searches for a word and stops at the first page that contains it.
#include <gossamer/crawl.h>

#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  gossamer::CrawlSettings settings(argc > 1 ? argv[1] : "https://example.com/");
  const std::string word = argc > 2 ? argv[2] : "Example";
  settings.keeps_bodies = true;
  for (const gossamer::Page& page : gossamer::crawl(std::move(settings))) {
    if (page.body().find(word) == std::string::npos) continue;
    std::printf("%s\n", page.url().c_str());
    return 0;  // the crawl stops here
  }
  return 1;
}
