// Archives a site as NAME-00001.warc.gz and so on, with an index and a package for replay.
#include <gossamer/crawl.h>

#include <cstdio>

int main(int argc, char** argv) {
  gossamer::CrawlSettings settings(argc > 1 ? argv[1] : "https://example.com/");
  settings.archive.file = argc > 2 ? argv[2] : "example";
  settings.archive.has_index = true;
  settings.archive.has_package = true;
  gossamer::PageStream pages = gossamer::crawl(std::move(settings));
  while (pages.next_page()) {
  }
  const auto& result = *pages.result();
  if (!result || result->failure) {
    const gossamer::Failure& failure = result ? *result->failure : result.error();
    std::fprintf(stderr, "%s\n", failure.error.to_string().c_str());
    return 1;
  }
  std::printf("%llu pages\n", static_cast<unsigned long long>(result->statistics.pages));
}
