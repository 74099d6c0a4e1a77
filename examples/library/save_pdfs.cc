// Saves every PDF of a site in a folder.
#include <gossamer/crawl.h>

#include <cstdio>
#include <fstream>
#include <string>

int main(int argc, char** argv) {
  gossamer::CrawlSettings settings(argc > 1 ? argv[1] : "https://example.com/");
  const std::string folder = argc > 2 ? argv[2] : ".";
  settings.keeps_bodies = true;
  int count = 0;
  for (const gossamer::Page& page : gossamer::crawl(std::move(settings))) {
    if (page.type() != "application/pdf" || page.status() != 200) continue;
    const std::string name = folder + "/" + std::to_string(++count) + ".pdf";
    std::ofstream(name, std::ios::binary) << page.body();
    std::printf("%s %s\n", name.c_str(), page.url().c_str());
  }
}
