// Prints broken links with the page they are on. Exits with 1 if there are any.
#include <gossamer/crawl.h>

#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  int broken = 0;
  for (const gossamer::Page& page : gossamer::crawl(argc > 1 ? argv[1] : "https://example.com/")) {
    if (page.status() < 400 && page.error().empty()) continue;
    const std::string why =
        page.error().empty() ? std::to_string(page.status()) : std::string(page.error());
    std::printf("%s: %s (on %s)\n", page.url().c_str(), why.c_str(), page.found_on().c_str());
    ++broken;
  }
  return broken == 0 ? 0 : 1;
}
