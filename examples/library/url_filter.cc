// Decides which URLs are fetched, and which fields are sent with the requests.
#include <gossamer/crawl.h>

#include <cstdio>

int main(int argc, char** argv) {
  gossamer::CrawlSettings settings(argc > 1 ? argv[1] : "https://example.com/");
  settings.user_agent = "FilterExample/1.0 (+https://example.com/bot)";
  settings.hooks.wants_url = [](const gossamer::url::Url& url) {
    return url.search().empty();  // skips URLs with a query
  };
  settings.hooks.edit_request = [](gossamer::http::Request& request) {
    request.fields.push_back({"Accept-Language", "en"});
  };
  for (const gossamer::Page& page : gossamer::crawl(std::move(settings))) {
    std::printf("%s\n", page.url().c_str());
  }
}
