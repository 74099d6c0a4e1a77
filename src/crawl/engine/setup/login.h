// Logs in with a form, as a person would: fetch the page, fill in its form, send it, and check the
// result. The cookies hold the session then.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "html/form.h"
#include "http/client.h"
#include "url/url.h"
#include "wire/cookie_jar.h"

namespace gossamer::crawler {

struct Hooks;

struct LoginOptions {
  // The page with the form.
  std::string url = {};
  // The values of the form's fields, by name. They are secrets: only this host receives them, and
  // no message contains them.
  std::vector<std::pair<std::string, std::string>> fields = {};
  // How to check the login. A URL ("https://...", "/account"): its status must be 2xx without a
  // redirect. Any other text: the page after the login must contain it. Empty: that page must not
  // be an error and must not contain the form again.
  std::string check = {};
};

// Fails with Errc::invalid_argument if there is no http or https URL or if there are no fields.
Result<void> validate(const LoginOptions& login);

// The result of a login.
struct LoginResult {
  std::string problem = {};  // why it failed, without secrets; empty: it succeeded
  bool is_in() const { return problem.empty(); }
};

// Logs in. Of the forms with the given fields, it uses the one with a password. Other fields (such
// as CSRF tokens) are sent unchanged. The form is sent only with POST and only to the host of the
// login's URL, whatever the page and redirects say; never from https to http. The hooks edit these
// requests, too. Fails if the network does.
// BORROWS: all but the options.
async::Task<Result<LoginResult>> log_in(http::Client& client, wire::CookieJar& cookies,
                                        Hooks& hooks, LoginOptions login, WallTime now);

// --- parts without a network

// Returns whether secrets for the host of `given` may be sent to a URL: the same origin, except for
// "www." and https instead of http.
bool is_same_place(const url::Url& given, const url::Url& place);

// The same for the action of a form on a page, to which the login's URL may have redirected. A page
// with https must not send it with http.
bool is_safe_action(const url::Url& given, const url::Url& page, const url::Url& action);

// Returns the form to fill in, or sets `problem`.
const html::Form* choose_login_form(const html::FormPage& page, const LoginOptions& login,
                                    std::string& problem);

// Returns what a browser would send for the form with these fields.
std::vector<std::pair<std::string, std::string>> filled_in(const html::Form& form,
                                                           const LoginOptions& login);

}  // namespace gossamer::crawler
