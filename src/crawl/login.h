// Logging in by a form, as a person would: fetch the page, fill in its form, send it, and see
// whether that worked. What makes the session is in the cookies then.
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
  // What to fill in, by name. Secrets: they are told to this host and appear in no message.
  std::vector<std::pair<std::string, std::string>> fields = {};
  // How to see that it worked. A URL ("https://...", "/account"): it is answered with 2xx, and not
  // by a redirect. Any other text: the page after the login has it. Empty: that page is no error
  // and does not have the form again.
  std::string check = {};
};

// Fails with Errc::invalid_argument: no http or https URL, no fields.
Result<void> validate(const LoginOptions& login);

// How a login went.
struct LoginResult {
  std::string problem = {};  // why not, in a phrase without secrets; empty: we are in
  bool is_in() const { return problem.empty(); }
};

// Logs in. The form is the one with a password among those that have the given fields. Its other
// fields (tokens against forgery, say) go along as they are. It is sent only by POST, and only to
// the host of the login's URL, whatever page and redirects say; never from https to http. The
// hooks edit its requests, too. Fails if the network does.
// BORROWS: all but the options.
async::Task<Result<LoginResult>> log_in(http::Client& client, wire::CookieJar& cookies,
                                        Hooks& hooks, LoginOptions login, WallTime now);

// --- the parts that need no network

// May what is secret to the host of `given` be told there? The same origin, but for "www." and for
// https in place of http.
bool is_same_place(const url::Url& given, const url::Url& place);

// The form to fill in, or in `problem` why there is none.
const html::Form* choose_login_form(const html::FormPage& page, const LoginOptions& login,
                                    std::string& problem);

// What a browser would send of the form with these fields filled in.
std::vector<std::pair<std::string, std::string>> filled_in(const html::Form& form,
                                                           const LoginOptions& login);

}  // namespace gossamer::crawler
