#pragma once

#include <memory>
#include <string>

#include "async/scope.h"
#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "cli/fetch_arguments.h"
#include "cli/fetch_output.h"
#include "http/client.h"
#include "http/request.h"
#include "http/response.h"
#include "net/tls_context.h"
#include "render/browser_pipe.h"
#include "render/renderer.h"
#include "run/machine/web_access.h"
#include "wire/cookie_jar.h"

namespace gossamer::cli {

// Those of the user at this address; empty: our own. BORROWS: the access.
std::unique_ptr<render::BrowserLauncher> make_browsers(const std::string& render_with,
                                                       run::WebAccess& web, net::TlsOptions tls);

// The pages of `gossamer fetch --render`. What they request goes through the client and the cookies
// of the fetch.
class FetchRendering {
 public:
  // BORROWS: all.
  FetchRendering(const FetchArguments& arguments, run::WebAccess& web, wire::CookieJar& cookies);

  // Reads the body, renders the page, and writes its pictures to their files. Returns the HTML.
  // Fails with Errc::unsupported if it is not HTML. BORROWS: the rendering and its parameters.
  async::Task<Result<std::string>> render(const http::Request& request, http::Response& response,
                                          FetchRecord& record);
  // Ends the browser. BORROWS: the rendering.
  async::Task<Result<void>> close();

 private:
  // BORROWS: both.
  async::Task<Result<void>> write_pictures(const render::Rendered& rendered);
  render::RenderOptions options() const;
  // Returns what is left of the time for the whole fetch.
  Duration time_left(const http::Response& response) const;

  const FetchArguments& arguments_;
  http::Client& client_;
  wire::CookieJar& cookies_;
  async::Scope browsers_{async::OnFailure::keep_going};
  const std::unique_ptr<render::BrowserLauncher> launcher_;
  render::Renderer renderer_;
};

}  // namespace gossamer::cli
