#include "cli/fetch_rendering.h"

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "async/file.h"
#include "base/ascii.h"
#include "engine/page/part_fetch.h"
#include "http/body.h"
#include "run/machine/wall_clock.h"
#include "settings/crawl_settings.h"
#include "terminal/standard_output.h"
#include "wire/content_type.h"
#include "wire/whole_decoder.h"

namespace gossamer::cli {
namespace {

// BOUND: a page that is rendered.
constexpr std::size_t kPageBytesMax = std::size_t{16} * 1024 * 1024;

bool is_default_port(const url::Url& url) { return url.port().empty(); }

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
    if (!is_allowed(request.url)) {
      co_return fail(Errc::denied, "another port of the page's host");
    }
    crawler::add_cookies(request, page_, cookies_, run::wall_now());
    auto part = co_await crawler::fetch_part(client_, request, cookies_, run::wall_now());
    if (!part) co_return fail(std::move(part).error());
    co_return std::move(part->answer);
  }

 private:
  // The user typed the page's host, so it may be local. That is no reason to let a page look for
  // other servers there.
  bool is_allowed(const url::Url& part) const {
    return part.hostname() != page_.hostname() || part.port() == page_.port() ||
           (is_default_port(part) && is_default_port(page_));
  }

  const url::Url page_;
  http::Client& client_;
  wire::CookieJar& cookies_;
};

}  // namespace

FetchRendering::FetchRendering(const FetchArguments& arguments, http::Client& client,
                               wire::CookieJar& cookies)
    : arguments_(arguments),
      client_(client),
      cookies_(cookies),
      renderer_(launcher_, browsers_,
                {.launch = {.user_agent = user_agent_of(arguments),
                            .loads_images = arguments.has_pictures()}}) {}

render::RenderOptions FetchRendering::options() const {
  render::RenderOptions options;
  options.loads_images = arguments_.has_pictures();
  if (!arguments_.screenshot_file.empty()) options.picture = render::Picture::whole_page;
  options.has_pdf = !arguments_.pdf_file.empty();
  return options;
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
  http::WholeBody body = co_await http::read_whole(response, decoder, {.bytes_max = kPageBytesMax});
  if (body.trouble) co_return fail(std::move(*body.trouble));
  document.answer.body = std::move(body.bytes);
  FetchedParts parts(request.url, client_, cookies_);
  auto rendered = co_await renderer_.render(std::move(document), parts, options());
  if (!rendered) co_return fail(std::move(rendered).error());
  tell_isolation();
  record.rendered = RenderedFacts{.took = rendered->took,
                                  .parts = rendered->parts,
                                  .parts_refused = rendered->parts_refused,
                                  .links = rendered->content.links.size(),
                                  .is_unready = rendered->is_unready,
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

void FetchRendering::tell_isolation() {
  const bool is_weak = renderer_.isolation() == render::Isolation::flags;
  if (!is_weak || std::exchange(has_told_isolation_, true) || arguments_.is_silent) return;
  terminal::print_err(
      "gossamer fetch: this system allows no network namespace, so only options of the browser "
      "keep "
      "pages from the network\n");
}

async::Task<Result<void>> FetchRendering::close() {
  renderer_.close();
  browsers_.cancel();
  co_return co_await browsers_.join();
}

}  // namespace gossamer::cli
