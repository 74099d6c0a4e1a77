// Prints the titles of a site.
#include <gossamer/crawl.h>

#include <cstdio>

int main(int argc, char** argv) {
  for (const gossamer::Page& page : gossamer::crawl(argc > 1 ? argv[1] : "https://example.com/")) {
    std::printf("%d %s %s\n", page.status(), page.url().c_str(), page.title().c_str());
  }
}
