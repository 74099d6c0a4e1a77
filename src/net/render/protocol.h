// The commands and events of the DevTools protocol that rendering needs, as types
// (https://chromedevtools.github.io/devtools-protocol/).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_value.h"
#include "base/result.h"
#include "base/time.h"
#include "http/request.h"
#include "render/message.h"

namespace gossamer::render {

// Commands to the browser itself.
Command browser_version();
// Every page, worker and window is attached before its first script runs, and waits.
Command attach_to_all();
Command create_context();
Command detach_from(std::string_view session);
Command dispose_context(std::string_view context);
Command deny_downloads(std::string_view context);
Command create_target(std::string_view context);
Command close_target(std::string_view target);

// Commands to a page.
Command enable(std::string_view domain);
Command bypass_service_workers();
Command intercept_requests();
Command run_if_waiting();
Command navigate(std::string_view url);
Command isolated_world(std::string_view frame);
// `context` is a world of the page. BOUND: the time that the script may take.
Command evaluate(std::string_view script, std::uint64_t context, Duration time_max);
Command terminate_execution();
Command dismiss_dialog(bool leaves_page);
Command measure_page();
struct PageSize {
  std::uint64_t width = 0;
  std::uint64_t height = 0;
};
// Without a size: what is in view.
Command screenshot(const std::optional<PageSize>& whole_page);
Command print_to_pdf();

// Answers to a request that is paused.
struct FulfilledRequest {
  int status = 200;
  const std::vector<http::Field>* fields = nullptr;  // BORROWS
  std::string_view body;                             // decoded
};
Command fulfill_request(std::string_view id, const FulfilledRequest& answer);
enum class FailReason : std::uint8_t {
  aborted,  // a navigation leaves the page as it is
  blocked,
  failed,
};
Command fail_request(std::string_view id, FailReason reason);

// Fetch.requestPaused
struct PausedRequest {
  std::string id;
  std::string frame;
  std::string kind;  // "Document", "Script", "XHR", ...
  std::string method;
  std::string url;
  std::vector<http::Field> fields;
  std::optional<std::string> body;
};
// Fails with Errc::malformed.
Result<PausedRequest> parse_paused_request(const base::JsonValue& parameters);

// Target.attachedToTarget
struct AttachedTarget {
  std::string session;
  std::string target;
  std::string kind;  // "page", "worker", ...
  std::string url;
  std::string context;
  bool has_opener = false;  // a page opened it
};
AttachedTarget parse_attached_target(const base::JsonValue& parameters);

// Returns what an exception, or an entry of the browser's log, says. Empty: it is not an error.
std::string problem_of(std::string_view event, const base::JsonValue& parameters);

// Returns the value of an evaluated script, which is a text. Fails with Errc::malformed if the
// script failed.
Result<std::string> text_result(base::JsonValue result);

}  // namespace gossamer::render
