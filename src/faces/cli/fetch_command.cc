#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "async/file.h"
#include "async/loop.h"
#include "async/scope.h"
#include "base/ascii.h"
#include "base/figures.h"
#include "cli/commands.h"
#include "cli/fetch_arguments.h"
#include "cli/fetch_output.h"
#include "cli/fetch_rendering.h"
#include "http/authenticator.h"
#include "http/body.h"
#include "http/redirect.h"
#include "run/machine/cookie_file.h"
#include "run/machine/machine.h"
#include "run/machine/wall_clock.h"
#include "run/machine/web_access.h"
#include "settings/crawl_fields.h"
#include "settings/random_salt.h"
#include "terminal/standard_output.h"
#include "url/secrets.h"
#include "wire/cookie_jar.h"

namespace gossamer::cli {
namespace {

// Returns the head of a response as the server sent it; that of HTTP/2 has no text of its own.
std::string shown_head(const http::Response& response) {
  std::string head(response.head().raw());
  const std::string_view protocol = response.facts().protocol;
  if (protocol != "HTTP/2") return head;
  const std::string status = std::string(protocol) + " " + std::to_string(response.status());
  return head.replace(0, head.find("\r\n"), status);
}

constexpr int kFetchRedirectsMax = 20;

// Returns the next request of a redirect. Fields that may be secrets go only to the origin that the
// user typed. A form is sent again only if the status says so (RFC 9110, section 15.4).
void redirect_to(http::Request& request, const http::Request& typed, const url::Url& next,
                 int status) {
  request.url = url::strip_credentials(next);
  const bool keeps_method = status == 307 || status == 308 || request.method == "HEAD";
  if (!keeps_method && (request.method == "POST" || status == 303)) {
    request.method = "GET";
    request.body.reset();
  }
  const bool is_typed_origin = request.url.origin() == typed.url.origin();
  request.fields.clear();
  for (const http::Field& field : typed.fields) {
    const bool is_of_body = base::equals_ignoring_case(field.name, "Content-Type");
    if (is_of_body ? request.body.has_value() : is_typed_origin || run::is_open_field(field.name)) {
      request.fields.push_back(field);
    }
  }
}

// Writes bodies to a file or to standard output. Opens the file only at the first write, so a fetch
// that fails before that leaves an older file unchanged.
class BodyOutput {
 public:
  explicit BodyOutput(std::string path) : path_(std::move(path)) {}

  // BORROWS: the output and the bytes.
  async::Task<Result<void>> write(Bytes bytes) {
    if (!path_.empty() && path_ != "-") co_return co_await write_to_file(bytes);
    if (terminal::standard_output().write(as_text(bytes))) co_return {};
    co_return fail(terminal::standard_output().failure()->copy());
  }

 private:
  // BORROWS: the output and the bytes.
  async::Task<Result<void>> write_to_file(Bytes bytes) {
    if (!file_) {
      auto file = co_await async::File::open(path_, async::OpenMode::write_truncate);
      if (!file) co_return fail(std::move(file).error(), "while opening " + path_);
      file_.emplace(std::move(*file));
    }
    auto written = co_await file_->write_all_at(offset_, bytes);
    offset_ += bytes.size();
    co_return written;
  }

  const std::string path_;
  std::optional<async::File> file_;
  std::uint64_t offset_ = 0;
};

// Fetches the URLs of the command line, several concurrently.
class Fetcher {
 public:
  Fetcher(FetchArguments& arguments, run::WebAccess& web)
      : arguments_(arguments),
        client_(web.client()),
        authenticator_(arguments.credentials, run::random_nonce),
        output_(arguments.output_file),
        rendering_(arguments, web, cookies_) {}

  // BORROWS: the fetcher.
  async::Task<Result<void>> run();
  int exit_code() const { return exit_code_; }

 private:
  async::Task<Result<void>> work();
  async::Task<void> fetch(http::Request& request);  // BORROWS: the request
  // Sends cookies, and repeats with a password if the server requires one. BORROWS: the request.
  async::Task<Result<http::Response>> send(http::Request& request);
  // Also follows redirects. BORROWS: both.
  async::Task<Result<http::Response>> send_and_follow(http::Request& request, FetchRecord& record);
  // BORROWS: both.
  async::Task<Result<void>> show(http::Response& response, FetchRecord& record);
  // The same for a page that is rendered. BORROWS: all.
  async::Task<Result<void>> show_rendered(const http::Request& request, http::Response& response,
                                          FetchRecord& record);
  void report(const FetchRecord& record);

  FetchArguments& arguments_;
  http::Client& client_;
  http::Authenticator authenticator_;
  BodyOutput output_;
  wire::CookieJar cookies_;
  FetchRendering rendering_;
  std::size_t next_ = 0;
  int exit_code_ = kOk;
};

async::Task<Result<void>> Fetcher::run() {
  run::load_cookies(run::this_machine(), arguments_.cookie_file, cookies_);
  async::Scope scope;
  const std::size_t workers =
      std::min<std::size_t>(arguments_.parallel, arguments_.requests.size());
  for (std::size_t i = 0; i < workers; ++i) scope.spawn(work());
  auto joined = co_await scope.join();
  auto closed = co_await rendering_.close();
  if (!joined) co_return joined;
  if (!closed) co_return closed;
  client_.close_idle();
  co_return run::save_cookies(run::this_machine(), arguments_.cookie_file, cookies_);
}

async::Task<Result<void>> Fetcher::work() {
  while (next_ < arguments_.requests.size() && !terminal::standard_output().failure()) {
    co_await fetch(arguments_.requests[next_++]);
  }
  co_return {};
}

async::Task<Result<http::Response>> Fetcher::send(http::Request& request) {
  const std::string cookies = cookies_.header_for(request.url, run::wall_now());
  if (!cookies.empty()) request.fields.push_back({"Cookie", cookies});
  authenticator_.authorize(request);
  auto response = co_await client_.send(request);
  if (!response || response->status() != 401) co_return response;
  if (!authenticator_.answer(request, response->head())) co_return response;
  {
    const http::Response refused = std::move(*response);  // frees its connection
  }
  co_return co_await client_.send(request);
}

async::Task<Result<http::Response>> Fetcher::send_and_follow(http::Request& request,
                                                             FetchRecord& record) {
  const http::Request typed = request;
  for (int hops = 0;; ++hops) {
    auto response = co_await send(request);
    if (!response || !arguments_.follows_redirects) co_return response;
    auto next = http::redirect_target(request.url, *response);
    if (!next) co_return fail(std::move(next).error());
    if (!*next) co_return response;
    if (!(*next)->is_http_or_https()) {
      co_return fail(Errc::unsupported, "the redirect leads to neither http nor https");
    }
    if (hops == kFetchRedirectsMax) {
      co_return fail(Errc::over_limit, "more than " + std::to_string(hops) + " redirects");
    }
    cookies_.set_from_response(request.url, response->head().find_all("Set-Cookie"),
                               run::wall_now());
    if (arguments_.shows_head && !arguments_.shows_json) {
      response->hold();
      auto written = co_await output_.write(as_bytes(shown_head(*response)));
      if (!written) co_return fail(std::move(written).error());
    }
    redirect_to(request, typed, **next, response->status());
    record.final_url = request.url.without_fragment();
  }
}

async::Task<Result<void>> Fetcher::show(http::Response& response, FetchRecord& record) {
  const bool shows_body = !arguments_.shows_json || !arguments_.output_file.empty();
  // Concurrent responses are printed one after the other.
  const bool collects = arguments_.parallel > 1;
  std::string collected;
  if (arguments_.shows_head && !arguments_.shows_json) collected = shown_head(response);
  if (!collects && !collected.empty()) {
    response.hold();
    auto written = co_await output_.write(as_bytes(std::exchange(collected, {})));
    if (!written) co_return written;
  }
  http::BodyReader decoded(response, {.bytes_max = arguments_.decoded_bytes_max});
  for (;;) {
    auto piece = arguments_.is_raw ? co_await response.next() : co_await decoded.next();
    const bool is_last = !piece || piece->empty();
    // Writes even an empty body, so that the file exists.
    if (is_last && (!collected.empty() || (piece && shows_body))) {
      if (auto written = co_await output_.write(as_bytes(collected)); !written) co_return written;
    }
    if (!piece) {
      co_return fail(
          std::move(piece).error(),
          fmt::format("with {} of the body received", base::byte_count(response.body_bytes())));
    }
    if (is_last) co_return {};
    record.body_bytes += piece->size();
    if (!shows_body) continue;
    if (collects) {
      collected += as_text(*piece);
    } else if (auto written = co_await output_.write(*piece); !written) {
      co_return written;
    }
  }
}

async::Task<Result<void>> Fetcher::show_rendered(const http::Request& request,
                                                 http::Response& response, FetchRecord& record) {
  std::string shown;
  if (arguments_.shows_head && !arguments_.shows_json) shown = shown_head(response);
  auto html = co_await rendering_.render(request, response, record);
  if (!html) co_return fail(std::move(html).error());
  record.body_bytes = html->size();
  const bool prints = arguments_.renders && !arguments_.shows_json;
  if (prints || !arguments_.output_file.empty()) shown += *html;
  if (shown.empty()) co_return {};
  co_return co_await output_.write(as_bytes(shown));
}

async::Task<void> Fetcher::fetch(http::Request& request) {
  FetchRecord record = {.url = std::string(url::strip_credentials(request.url).without_fragment()),
                        .method = request.method};
  auto response = co_await send_and_follow(request, record);
  if (response) {
    const wire::ResponseHead& head = response->head();
    record.status = head.status();
    record.content_type = head.find("Content-Type").value_or("");
    record.location = head.find("Location").value_or("");
    cookies_.set_from_response(request.url, head.find_all("Set-Cookie"), run::wall_now());
    auto shown = arguments_.is_rendered() ? co_await show_rendered(request, *response, record)
                                          : co_await show(*response, record);
    if (!shown) record.error = std::move(shown).error();
    record.is_complete = shown.has_value() && response->is_complete();
    record.encoded_bytes = response->body_bytes();
    record.facts = response->facts();
    record.tls = response->tls_facts();
  } else {
    record.error = std::move(response).error();
  }
  report(record);
}

void Fetcher::report(const FetchRecord& record) {
  const int code =
      record.error ? exit_code_for(*record.error) : exit_code_for_status(record.status.value_or(0));
  exit_code_ = worse(exit_code_, code);
  if (arguments_.shows_json) {
    terminal::print_out("{}\n", to_json(record));
  } else if (record.error && !arguments_.is_silent) {
    if (!terminal::standard_output().flush()) return;  // main() reports it
    terminal::print_err("{}\n", to_line(record));
  }
}

// BORROWS: the loop and the arguments.
async::Task<Result<int>> fetch_all(async::Loop& loop, FetchArguments& arguments) {
  async::Scope lookups(async::OnFailure::keep_going);
  auto web = co_await run::WebAccess::open(loop, lookups, arguments.web);
  if (!web) co_return fail(std::move(web).error());
  Fetcher fetcher(arguments, **web);
  auto done = co_await fetcher.run();
  lookups.cancel();
  static_cast<void>(co_await lookups.join());
  if (!done) co_return fail(std::move(done).error());
  co_return fetcher.exit_code();
}

int run_fetch(FetchArguments& arguments, const options::Table& table) {
  if (auto done = complete_fetch(table, arguments); !done) {
    return usage_error("fetch", done.error().message());
  }
  auto driver = async::make_driver(arguments.driver);
  if (!driver) return usage_error("fetch", driver.error().message());
  async::Loop loop(std::move(*driver));
  const auto exit_code = loop.run(fetch_all(loop, arguments));
  if (exit_code) return *exit_code;
  terminal::print_err("gossamer fetch: {}\n", exit_code.error().message());
  return exit_code_for(exit_code.error());
}

}  // namespace

constinit const Command fetch_command = command_of<declare_fetch, run_fetch>(
    "fetch", "URL... [-i] [-I] [-o FILE] [--json]", "fetch URLs");

}  // namespace gossamer::cli
