#include "serve/new_crawls.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "async/sleep.h"
#include "base/ascii.h"
#include "base/json.h"
#include "base/json_value.h"
#include "engine/setup/options.h"
#include "options/setting_names.h"
#include "serve/crawl_form.h"
#include "serve/socket_crawl.h"
#include "url/secrets.h"

namespace gossamer::serve {
namespace {

using base::JsonValue;

constexpr std::size_t kNameBytesMax = 64;
// The kernel accepts no longer path of a socket.
constexpr std::size_t kSocketPathBytesMax = 107;
constexpr std::string_view kSocketName = "/control";
// A crawl that is not there after this time will not be.
constexpr Duration kStartInterval = 100ms;
constexpr int kStartTries = 100;

Error wrong(std::string text) { return {Errc::invalid_argument, std::move(text)}; }

// A name cannot leave the directory, hide, or look like an option.
bool is_folder_name(std::string_view name) {
  const auto is_plain = [](char c) { return base::is_letter(c) || base::is_digit(c); };
  return !name.empty() && name.size() <= kNameBytesMax && is_plain(name.front()) &&
         std::ranges::all_of(
             name, [&](char c) { return is_plain(c) || c == '-' || c == '_' || c == '.'; });
}

}  // namespace

Result<NewCrawl> parse_new_crawl(std::string_view json, const std::string& parent) {
  const auto body = base::parse_json(json);
  if (!body || body->kind != JsonValue::Kind::object) return fail(wrong("the body is not JSON"));
  const auto root = crawler::parse_root(std::string(body->text_of("url")));
  if (!root) return fail(wrong("url must be an http or https address"));
  if (root->has_credentials()) return fail(wrong("url must not contain a password"));
  const std::string_view name = body->text_of("folder");
  if (!is_folder_name(name)) {
    return fail(
        wrong("folder must have 1 to 64 letters, digits, '-', '_' and '.', and begin with "
              "a letter or digit"));
  }
  auto settings = parse_crawl_form(*body);
  if (!settings) return fail(std::move(settings).error());
  NewCrawl crawl = {.url = std::string(root->without_fragment()),
                    .folder = fmt::format("{}/{}", parent, name),
                    .socket = {},
                    .settings = std::move(*settings)};
  crawl.socket = crawl.folder + std::string(kSocketName);
  if (crawl.socket.size() > kSocketPathBytesMax)
    return fail(wrong("the path of folder is too long"));
  crawl.settings.push_back({.name = "job", .values = {crawl.folder}});
  crawl.settings.push_back({.name = "control", .values = {crawl.socket}});
  crawl.settings.push_back({.name = "index", .is_on = true});
  if (auto good = settings::crawl_settings_of({crawl.url}, crawl.settings); !good) {
    return fail(wrong(options::as_keywords(good.error().detail())));
  }
  return crawl;
}

async::Task<server::Response> NewCrawls::start(const server::Request& request) {
  if (!is_on()) {
    co_return server::error_response(
        403, "this server cannot start crawls; start it with a folder for new crawls");
  }
  const auto crawl = parse_new_crawl(request.body, parent_);
  if (!crawl) co_return server::error_response(400, crawl.error().detail());
  if (starter_->running() >= kRunningMax) {
    co_return server::error_response(503, fmt::format("{} crawls run already", kRunningMax));
  }
  std::error_code failure;
  // A crawl makes its folder a moment after its start.
  if (starter_->is_running(crawl->folder) ||
      std::filesystem::symlink_status(crawl->folder, failure).type() !=
          std::filesystem::file_type::not_found) {
    co_return server::error_response(409, "this folder exists already");
  }
  if (auto started = starter_->start(*crawl); !started) {
    co_return server::error_response(500, started.error().message());
  }
  const auto archive = co_await adopt(*crawl);
  if (!archive) co_return server::error_response(500, archive.error().detail());
  const std::size_t number = crawls_.size();
  crawls_.push_back(std::make_unique<SocketCrawl>(crawl->socket, *archive));
  if (watchers_ != nullptr) watchers_->spawn(crawls_.back()->watch());
  co_return server::json_response(200, base::JsonLine()
                                           .boolean("ok", true)
                                           .number("archive", *archive)
                                           .number("crawl", number)
                                           .finish());
}

async::Task<Result<std::uint32_t>> NewCrawls::adopt(const NewCrawl& crawl) {
  for (int i = 0; i < kStartTries; ++i) {
    const bool was_running = starter_->is_running(crawl.folder);
    auto added = co_await threads_.run([&] { return collection_.add(crawl.folder); });
    if (added || added.error() == Errc::cancelled) co_return added;
    if (!was_running) {
      co_return fail(Errc::unavailable,
                     "the crawl ended before it began; the terminal of the server says why");
    }
    if (auto slept = co_await async::sleep(kStartInterval); !slept) {
      co_return fail(std::move(slept).error());
    }
  }
  // Without its socket, users could neither see the crawl nor stop it.
  starter_->stop(crawl.folder);
  co_return fail(Errc::timed_out, "the crawl did not begin in time, and was stopped");
}

async::Task<Result<void>> NewCrawls::watch() {
  async::Scope watchers(async::OnFailure::keep_going);
  watchers_ = &watchers;
  while (co_await async::sleep(1h)) {
  }
  watchers_ = nullptr;
  watchers.cancel();
  co_return co_await watchers.join();
}

}  // namespace gossamer::serve
