// Uses its own sink on its own loop: the crawl runs on that loop, and put() may wait.
#include <gossamer/crawl.h>
#include <gossamer/loop.h>

#include <cstdio>
#include <string>
#include <utility>

using namespace gossamer;

namespace {

class ByteCount final : public CrawlListener, public crawler::PageSink {
 public:
  Result<crawler::PageSink*> open_sink(const CrawlSettings&) override { return this; }
  async::Task<Result<void>> put(crawler::Page page) override {
    bytes_ += page.record.bytes;
    co_return {};
  }
  void skip(const crawler::SkippedUrl&) override { ++skipped_; }

  unsigned long long bytes() const { return bytes_; }
  unsigned long long skipped() const { return skipped_; }

 private:
  unsigned long long bytes_ = 0;
  unsigned long long skipped_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  CrawlSettings settings(argc > 1 ? argv[1] : "https://example.com/");
  if (auto good = complete(settings); !good) return 2;
  ByteCount sink;
  async::Loop loop;
  Crawl crawl(std::move(settings));
  const auto end = loop.run(crawl.run(sink));
  if (!end) return 1;
  std::printf("%llu bytes, %llu URLs skipped\n", sink.bytes(), sink.skipped());
}
