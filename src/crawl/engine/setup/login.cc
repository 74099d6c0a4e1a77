#include "engine/setup/login.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "engine/setup/options.h"
#include "html/encoding/stream.h"
#include "html/link_list.h"
#include "http/body.h"
#include "http/redirect.h"
#include "wire/content_type.h"
#include "wire/whole_decoder.h"

namespace gossamer::crawler {
namespace {

constexpr std::uint64_t kPageBytesMax = std::uint64_t{4} * 1024 * 1024;
constexpr int kRedirectsMax = 10;

std::string_view without_www(std::string_view hostname) {
  constexpr std::string_view kPrefix = "www.";
  if (hostname.starts_with(kPrefix)) hostname.remove_prefix(kPrefix.size());
  return hostname;
}

// Returns the URL without name and password.
std::string shown(const url::Url& url) { return url.origin() + std::string(url.pathname()); }

bool has_all(const html::Form& form, const LoginOptions& login) {
  return std::ranges::all_of(
      login.fields, [&form](const auto& field) { return form.find(field.first) != nullptr; });
}

bool is_login_form(const html::Form& form, const LoginOptions& login) {
  return form.has_password() && has_all(form, login);
}

std::string names_of(const html::Form& form) {
  std::vector<std::string_view> names;
  for (const html::FormField& field : form.fields) names.push_back(field.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

bool is_url(std::string_view text) {
  return text.starts_with('/') || text.starts_with("http://") || text.starts_with("https://");
}

// A page at the end of its redirects.
struct Answer {
  url::Url url;
  int status = 0;
  std::string text;  // UTF-8
  bool is_redirected = false;
};

class Login {
 public:
  // BORROWS: all but the options.
  Login(http::Client& client, wire::CookieJar& cookies, Hooks& hooks, LoginOptions login,
        WallTime now)
      : client_(client), cookies_(cookies), hooks_(hooks), login_(std::move(login)), now_(now) {}

  // BORROWS: the login.
  async::Task<Result<LoginResult>> run();

 private:
  // BORROWS: the login.
  async::Task<Result<Answer>> ask(http::Request request);
  // BORROWS: the login and the request.
  async::Task<Result<http::Response>> send(http::Request& request);
  // BORROWS: the login and the page.
  async::Task<Result<LoginResult>> submit(const Answer& page, const url::Url& given);
  // BORROWS: the login and the answer.
  async::Task<Result<LoginResult>> check(const Answer& answer, const url::Url& given);

  http::Client& client_;
  wire::CookieJar& cookies_;
  Hooks& hooks_;
  const LoginOptions login_;
  const WallTime now_;
  wire::WholeDecoder decoder_;
};

async::Task<Result<http::Response>> Login::send(http::Request& request) {
  const std::string cookies = cookies_.header_for(request.url, now_);
  if (!cookies.empty()) request.fields.push_back({"Cookie", cookies});
  if (hooks_.edit_request) hooks_.edit_request(request);
  auto response = co_await client_.send(request);
  const bool is_asked = response && response->status() == 401 && hooks_.answer_challenge;
  if (!is_asked || !hooks_.answer_challenge(request, response->head())) co_return response;
  {
    const http::Response refused = std::move(*response);  // frees its connection
  }
  co_return co_await client_.send(request);
}

async::Task<Result<Answer>> Login::ask(http::Request request) {
  for (int hops = 0; hops <= kRedirectsMax; ++hops) {
    auto response = co_await send(request);
    if (!response) co_return fail(std::move(response).error());
    cookies_.set_from_response(request.url, response->head().find_all("Set-Cookie"), now_);
    auto next = http::redirect_target(request.url, *response);
    if (!next) co_return fail(std::move(next).error());
    if (!*next) {
      const auto type = wire::extract_mime_type(response->head().find_all("Content-Type"));
      Answer answer = {.url = std::move(request.url),
                       .status = response->status(),
                       .text = {},
                       .is_redirected = hops > 0};
      http::WholeBody body =
          co_await http::read_whole(*response, decoder_, {.bytes_max = kPageBytesMax});
      if (body.trouble && *body.trouble != Errc::over_limit) {
        co_return fail(std::move(*body.trouble));
      }
      html::DecodingStream decoder(
          {.transport = html::encoding_from_label(
               type ? std::string(type->parameter("charset").value_or("")) : std::string())});
      std::string scratch;
      answer.text = decoder.decode(body.bytes, scratch);
      answer.text += decoder.finish(scratch);
      co_return answer;
    }
    if (!(*next)->is_http_or_https()) {
      co_return fail(Errc::unsupported, "a redirect leads to neither http nor https");
    }
    // The form is not sent to another host, and after most redirects not at all.
    const int status = response->status();
    const bool is_kept = request.body && (status == 307 || status == 308);
    if (is_kept && (*next)->origin() != request.url.origin()) {
      co_return fail(Errc::unsupported, "a redirect would send the password to another host");
    }
    http::Request again;
    again.url = std::move(**next);
    if (is_kept) {
      again.method = request.method;
      again.body = std::move(request.body);
      again.fields = {{"Content-Type", "application/x-www-form-urlencoded"}};
    }
    request = std::move(again);
  }
  co_return fail(Errc::over_limit, fmt::format("more than {} redirects", kRedirectsMax));
}

async::Task<Result<LoginResult>> Login::submit(const Answer& page, const url::Url& given) {
  const html::FormPage forms = html::read_forms(page.text);
  LoginResult result;
  const html::Form* const form = choose_login_form(forms, login_, result.problem);
  if (form == nullptr) {
    result.problem = fmt::format("{}: {}", shown(page.url), result.problem);
    co_return result;
  }
  http::Request request;
  const url::Url base = html::document_base(page.url, forms.base);
  auto action = form->action.empty() ? Result<url::Url>(page.url) : base.resolve(form->action);
  if (!action || !action->is_http_or_https()) {
    co_return LoginResult{.problem = "the form has no valid action URL"};
  }
  if (!is_safe_action(given, page.url, *action)) {
    co_return LoginResult{.problem = fmt::format("the form of {} would send the password to {}",
                                                 shown(page.url), shown(*action))};
  }
  request.method = "POST";
  request.url = std::move(*action);
  request.body = html::encode_form(filled_in(*form, login_));
  request.fields = {{"Content-Type", "application/x-www-form-urlencoded"},
                    {"Origin", page.url.origin()},
                    {"Referer", shown(page.url)}};
  auto answer = co_await ask(std::move(request));
  if (!answer) co_return fail(std::move(answer).error());
  co_return co_await check(*answer, given);
}

async::Task<Result<LoginResult>> Login::check(const Answer& answer, const url::Url& given) {
  if (is_url(login_.check)) {
    auto url = given.resolve(login_.check);
    if (!url) co_return fail(std::move(url).error());
    http::Request request;
    request.url = std::move(*url);
    const std::string place = shown(request.url);
    auto checked = co_await ask(std::move(request));
    if (!checked) co_return fail(std::move(checked).error());
    const bool is_good = checked->status >= 200 && checked->status < 300 && !checked->is_redirected;
    if (is_good) co_return LoginResult();
    co_return LoginResult{
        .problem = checked->is_redirected
                       ? fmt::format("{} redirects to {}", place, shown(checked->url))
                       : fmt::format("{} answered with status {}", place, checked->status)};
  }
  if (!login_.check.empty()) {
    if (answer.text.find(login_.check) != std::string::npos) co_return LoginResult();
    co_return LoginResult{.problem = fmt::format("{} does not contain the text '{}'",
                                                 shown(answer.url), login_.check)};
  }
  if (answer.status >= 400) {
    co_return LoginResult{
        .problem = fmt::format("{} answered with status {}", shown(answer.url), answer.status)};
  }
  const html::FormPage forms = html::read_forms(answer.text);
  const bool has_form_again = std::ranges::any_of(
      forms.forms, [this](const html::Form& form) { return is_login_form(form, login_); });
  if (!has_form_again) co_return LoginResult();
  co_return LoginResult{.problem = fmt::format("{} shows the form again: wrong name or password?",
                                               shown(answer.url))};
}

async::Task<Result<LoginResult>> Login::run() {
  auto given = parse_root(login_.url);
  if (!given) co_return fail(std::move(given).error());
  http::Request request;
  request.url = *given;
  auto page = co_await ask(std::move(request));
  if (!page) co_return fail(std::move(page).error());
  if (!is_same_place(*given, page->url)) {
    co_return LoginResult{
        .problem = fmt::format("{} redirects to {}; use that as the login URL if it may receive "
                               "the password",
                               shown(*given), shown(page->url))};
  }
  if (page->status >= 400) {
    co_return LoginResult{
        .problem = fmt::format("{} answered with status {}", shown(page->url), page->status)};
  }
  co_return co_await submit(*page, *given);
}

}  // namespace

async::Task<Result<LoginResult>> log_in(http::Client& client, wire::CookieJar& cookies,
                                        Hooks& hooks, LoginOptions login, WallTime now) {
  Login attempt(client, cookies, hooks, std::move(login), now);
  co_return co_await attempt.run();
}

Result<void> validate(const LoginOptions& login) {
  if (auto url = parse_root(login.url); !url) {
    return fail(Errc::invalid_argument, "the login URL must be http or https");
  }
  if (login.fields.empty()) {
    return fail(Errc::invalid_argument, "a login requires fields: name=value");
  }
  return {};
}

bool is_same_place(const url::Url& given, const url::Url& place) {
  if (without_www(given.hostname()) != without_www(place.hostname())) return false;
  const bool is_as_safe = given.protocol() == place.protocol() || place.protocol() == "https:";
  return is_as_safe && given.port() == place.port();
}

bool is_safe_action(const url::Url& given, const url::Url& page, const url::Url& action) {
  return is_same_place(given, action) && is_same_place(page, action);
}

const html::Form* choose_login_form(const html::FormPage& page, const LoginOptions& login,
                                    std::string& problem) {
  const auto is_wanted = [&login](const html::Form& form) { return is_login_form(form, login); };
  auto found = std::ranges::find_if(page.forms, is_wanted);
  if (found == page.forms.end()) {
    found = std::ranges::find_if(page.forms,
                                 [&login](const html::Form& form) { return has_all(form, login); });
  }
  if (found == page.forms.end()) {
    found = std::ranges::find_if(page.forms, &html::Form::has_password);
    if (found == page.forms.end()) {
      problem = "the page has no form with a password or with the given fields";
      return nullptr;
    }
    for (const auto& [name, value] : login.fields) {
      if (found->find(name) != nullptr) continue;
      problem = fmt::format("the form has no field '{}'; it has {}", name, names_of(*found));
      return nullptr;
    }
  }
  if (found->method != "post") {
    problem = "the form is not sent by POST, so the password would be in a URL";
    return nullptr;
  }
  return &*found;
}

std::vector<std::pair<std::string, std::string>> filled_in(const html::Form& form,
                                                           const LoginOptions& login) {
  std::vector<std::pair<std::string, std::string>> sent;
  std::vector<bool> is_filled(login.fields.size(), false);
  for (const html::FormField& field : form.fields) {
    const auto given = std::ranges::find_if(
        login.fields, [&field](const auto& one) { return one.first == field.name; });
    if (given == login.fields.end()) {
      if (field.is_sent) sent.emplace_back(field.name, field.value);
      continue;
    }
    // One of several boxes with the same name is enough.
    const auto at = static_cast<std::size_t>(given - login.fields.begin());
    if (is_filled[at]) continue;
    is_filled[at] = true;
    sent.push_back(*given);
  }
  return sent;
}

}  // namespace gossamer::crawler
