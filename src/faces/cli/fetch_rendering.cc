#include "cli/fetch_rendering.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "async/file.h"
#include "async/timeout.h"
#include "base/ascii.h"
#include "engine/page/part_fetch.h"
#include "http/body.h"
#include "render/browser_process.h"
#include "render/websocket_launcher.h"
#include "run/machine/machine.h"
#include "run/machine/wall_clock.h"
#include "settings/crawl_settings.h"
#include "wire/content_type.h"
#include "wire/whole_decoder.h"

namespace gossamer::cli {
namespace {

// BOUND: a page that is rendered.
constexpr std::size_t kPageBytesMax = std::size_t{16} * 1024 * 1024;

std::string user_agent_of(const FetchArguments& arguments) {
  for (const http::Field& field : arguments.fields) {
    if (base::equals_ignoring_case(field.name, "User-Agent")) return field.value;
  }
  return run::own_user_agent();
}

// The answers to what one page requests.
class FetchedParts final : public render::Parts {
 public:
  // BORROWS: all but the URL of the page.
  FetchedParts(url::Url page, http::Client& client, wire::CookieJar& cookies)
      : page_(std::move(page)), client_(client), cookies_(cookies) {}

  async::Task<Result<render::PartAnswer>> fetch(http::Request request) override {
    if (!crawler::may_request(client_, page_, request.url)) {
      co_return fail(Errc::denied, "a local host of other pages");
    }
    crawler::add_cookies(request, page_, cookies_, run::wall_now());
    auto part = co_await crawler::fetch_part(
        {.client = client_, .cookies = cookies_, .now = run::wall_now()}, request);
    co_return std::move(part.answer);
  }

 private:
  const url::Url page_;
  http::Client& client_;
  wire::CookieJar& cookies_;
};

}  // namespace

std::unique_ptr<render::BrowserLauncher> make_browsers(const std::string& render_with,
                                                       run::WebAccess& web, net::TlsOptions tls) {
  if (render_with.empty()) return std::make_unique<render::ProcessLauncher>();
  return std::make_unique<render::WebSocketLauncher>(render_with, web.resolver(), std::move(tls),
                                                     run::this_machine().draw());
}

FetchRendering::FetchRendering(const FetchArguments& arguments, run::WebAccess& web,
                               wire::CookieJar& cookies)
    : arguments_(arguments),
      client_(web.client()),
      cookies_(cookies),
      launcher_(make_browsers(arguments.render_with, web, arguments.web.tls)),
      renderer_(*launcher_, browsers_,
                {.launch = {.user_agent = user_agent_of(arguments),
                            .loads_images = arguments.has_pictures()}}) {}

render::RenderOptions FetchRendering::options() const {
  render::RenderOptions options;
  options.readiness.selector = arguments_.render_wait_for;
  options.scrolls = arguments_.render_scrolls;
  options.loads_images = arguments_.has_pictures();
  if (!arguments_.screenshot_file.empty()) options.picture = render::Picture::whole_page;
  options.has_pdf = !arguments_.pdf_file.empty();
  return options;
}

Duration FetchRendering::time_left(const http::Response& response) const {
  const Duration whole = arguments_.web.client.deadlines.whole;
  return std::max(whole - response.facts().total, Duration(1ms));
}

async::Task<Result<std::string>> FetchRendering::render(const http::Request& request,
                                                        http::Response& response,
                                                        FetchRecord& record) {
  const auto type = wire::extract_mime_type(response.head().find_all("Content-Type"));
  if (type && !type->is_html() && type->essence() != "application/xhtml+xml") {
    co_return fail(Errc::unsupported,
                   "only HTML can be rendered, and this is " + std::string(type->essence()));
  }
  render::Document document = {
      .url = std::string(request.url.href()),
      .answer = {
          .status = response.status(), .fields = crawler::fields_of(response.head()), .body = {}}};
  wire::WholeDecoder decoder;
  const std::size_t bytes_max =
      std::min<std::uint64_t>(kPageBytesMax, arguments_.decoded_bytes_max);
  http::WholeBody body = co_await http::read_whole(response, decoder, {.bytes_max = bytes_max});
  if (body.trouble) co_return fail(std::move(*body.trouble));
  document.answer.body = std::move(body.bytes);
  FetchedParts parts(request.url, client_, cookies_);
  auto rendered = co_await async::with_timeout(
      time_left(response), renderer_.render(std::move(document), parts, options()));
  if (!rendered) co_return fail(std::move(rendered).error());
  record.rendered = RenderedFacts{.took = rendered->took,
                                  .parts = rendered->parts,
                                  .parts_refused = rendered->parts_refused,
                                  .links = rendered->content.links.size(),
                                  .is_unready = rendered->is_unready,
                                  .is_cut = rendered->content.is_cut,
                                  .isolation = *renderer_.isolation(),
                                  .problems = std::move(rendered->problems)};
  auto written = co_await write_pictures(*rendered);
  if (!written) co_return fail(std::move(written).error());
  co_return std::move(rendered->content.html);
}

async::Task<Result<void>> FetchRendering::write_pictures(const render::Rendered& rendered) {
  const std::array pictures = {std::pair(&arguments_.screenshot_file, &rendered.png),
                               std::pair(&arguments_.pdf_file, &rendered.pdf)};
  for (const auto& [path, bytes] : pictures) {
    if (path->empty()) continue;
    auto file = co_await async::File::open(*path, async::OpenMode::write_truncate);
    if (!file) co_return fail(std::move(file).error(), "while opening " + *path);
    auto written = co_await file->write_all_at(0, as_bytes(*bytes));
    if (!written) co_return fail(std::move(written).error(), "while writing " + *path);
  }
  co_return {};
}

async::Task<Result<void>> FetchRendering::close() {
  renderer_.close();
  browsers_.cancel();
  co_return co_await browsers_.join();
}

}  // namespace gossamer::cli
