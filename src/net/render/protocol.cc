#include "render/protocol.h"

#include <utility>

#include "base/bytes.h"
#include "base/json.h"
#include "render/base64.h"

namespace gossamer::render {
namespace {

using base::JsonLine;
using base::JsonValue;

Command command_with(std::string_view method, JsonLine& parameters) {
  return {std::string(method), parameters.finish()};
}

std::string fields_as_json(const std::vector<http::Field>& fields) {
  std::string json = "[";
  for (const http::Field& field : fields) {
    if (json.size() > 1) json += ',';
    json += JsonLine().text("name", field.name).text("value", field.value).finish();
  }
  return json += ']';
}

std::string_view name_of(FailReason reason) {
  switch (reason) {
    case FailReason::aborted: return "Aborted";
    case FailReason::blocked: return "BlockedByClient";
    case FailReason::failed: return "Failed";
  }
  return "Failed";
}

// Returns the first value at a path of names; nullptr if there is none.
const JsonValue* at_path(const JsonValue& value, std::initializer_list<std::string_view> path) {
  const JsonValue* found = &value;
  for (const std::string_view name : path) {
    found = found->find(name);
    if (found == nullptr) return nullptr;
  }
  return found;
}

// A body comes in pieces, as base64.
Result<std::optional<std::string>> body_of(const JsonValue& request) {
  const JsonValue* pieces = request.find("postDataEntries");
  if (pieces == nullptr) {
    if (const JsonValue* text = request.find("postData")) return text->text;
    return std::nullopt;
  }
  std::string body;
  for (const JsonValue& piece : pieces->items) {
    auto bytes = from_base64(piece.text_of("bytes"));
    if (!bytes) return fail(std::move(bytes).error());
    body += *bytes;
  }
  return body;
}

}  // namespace

Command browser_version() { return {"Browser.getVersion"}; }

Command attach_to_all() {
  return {"Target.setAutoAttach",
          R"({"autoAttach":true,"waitForDebuggerOnStart":true,"flatten":true})"};
}

Command create_context() { return {"Target.createBrowserContext", R"({"disposeOnDetach":true})"}; }

Command detach_from(std::string_view session) {
  return command_with("Target.detachFromTarget", JsonLine().text("sessionId", session));
}

Command dispose_context(std::string_view context) {
  return command_with("Target.disposeBrowserContext", JsonLine().text("browserContextId", context));
}

Command deny_downloads(std::string_view context) {
  return command_with("Browser.setDownloadBehavior",
                      JsonLine().text("behavior", "deny").text("browserContextId", context));
}

Command create_target(std::string_view context) {
  return command_with("Target.createTarget",
                      JsonLine().text("url", "about:blank").text("browserContextId", context));
}

Command close_target(std::string_view target) {
  return command_with("Target.closeTarget", JsonLine().text("targetId", target));
}

Command enable(std::string_view domain) { return {std::string(domain) + ".enable"}; }

Command bypass_service_workers() {
  return {"Network.setBypassServiceWorker", R"({"bypass":true})"};
}

Command intercept_requests() {
  return {"Fetch.enable", R"({"patterns":[{"urlPattern":"*","requestStage":"Request"}]})"};
}

Command run_if_waiting() { return {"Runtime.runIfWaitingForDebugger"}; }

Command navigate(std::string_view url) {
  return command_with("Page.navigate", JsonLine().text("url", url));
}

Command isolated_world(std::string_view frame) {
  return command_with("Page.createIsolatedWorld",
                      JsonLine().text("frameId", frame).text("worldName", "gossamer"));
}

Command evaluate(std::string_view script, std::uint64_t context, Duration time_max) {
  const auto time = static_cast<std::uint64_t>(time_max / 1ms);
  return command_with("Runtime.evaluate", JsonLine()
                                              .text("expression", script)
                                              .number("contextId", context)
                                              .boolean("returnByValue", true)
                                              .number("timeout", time));
}

Command terminate_execution() { return {"Runtime.terminateExecution"}; }

Command dismiss_dialog(bool leaves_page) {
  return command_with("Page.handleJavaScriptDialog", JsonLine().boolean("accept", leaves_page));
}

Command measure_page() { return {"Page.getLayoutMetrics"}; }

Command screenshot(const std::optional<PageSize>& whole_page) {
  JsonLine line;
  line.text("format", "png");
  if (whole_page) {
    line.boolean("captureBeyondViewport", true);
    line.raw("clip", JsonLine()
                         .number("x", 0)
                         .number("y", 0)
                         .number("width", whole_page->width)
                         .number("height", whole_page->height)
                         .number("scale", 1)
                         .finish());
  }
  return command_with("Page.captureScreenshot", line);
}

Command print_to_pdf() { return {"Page.printToPDF", R"({"printBackground":true})"}; }

Command fulfill_request(std::string_view id, const FulfilledRequest& answer) {
  JsonLine line;
  line.text("requestId", id).number("responseCode", static_cast<std::uint64_t>(answer.status));
  line.raw("responseHeaders", fields_as_json(*answer.fields));
  line.text("body", to_base64(as_bytes(answer.body)));
  return command_with("Fetch.fulfillRequest", line);
}

Command fail_request(std::string_view id, FailReason reason) {
  return command_with("Fetch.failRequest",
                      JsonLine().text("requestId", id).text("errorReason", name_of(reason)));
}

Result<PausedRequest> parse_paused_request(const JsonValue& parameters) {
  const JsonValue* request = parameters.find("request");
  PausedRequest paused = {.id = std::string(parameters.text_of("requestId")),
                          .frame = std::string(parameters.text_of("frameId")),
                          .kind = std::string(parameters.text_of("resourceType"))};
  if (request == nullptr || paused.id.empty()) {
    return fail(Errc::malformed, "a paused request has no id, or is empty");
  }
  paused.method = request->text_of("method");
  paused.url = request->text_of("url");
  if (const JsonValue* fields = request->find("headers")) {
    for (const base::JsonMember& field : fields->members) {
      paused.fields.push_back({field.name, field.value.text});
    }
  }
  auto body = body_of(*request);
  if (!body) return fail(std::move(body).error());
  paused.body = std::move(*body);
  return paused;
}

AttachedTarget parse_attached_target(const JsonValue& parameters) {
  AttachedTarget attached = {.session = std::string(parameters.text_of("sessionId"))};
  if (const JsonValue* target = parameters.find("targetInfo")) {
    attached.target = target->text_of("targetId");
    attached.kind = target->text_of("type");
    attached.url = target->text_of("url");
    attached.context = target->text_of("browserContextId");
    attached.has_opener =
        target->find("openerId") != nullptr || target->find("openerFrameId") != nullptr;
  }
  return attached;
}

std::string problem_of(std::string_view event, const JsonValue& parameters) {
  if (event == "Runtime.exceptionThrown") {
    const JsonValue* details = parameters.find("exceptionDetails");
    if (details == nullptr) return {};
    const JsonValue* described = at_path(*details, {"exception", "description"});
    return described == nullptr ? std::string(details->text_of("text")) : described->text;
  }
  const JsonValue* entry = parameters.find("entry");
  if (event != "Log.entryAdded" || entry == nullptr || entry->text_of("level") != "error") {
    return {};
  }
  std::string problem(entry->text_of("text"));
  if (const std::string_view url = entry->text_of("url"); !url.empty()) {
    problem.append(" (").append(url).append(")");
  }
  return problem;
}

Result<std::string> text_result(JsonValue result) {
  if (result.find("exceptionDetails") != nullptr) {
    return fail(Errc::malformed, "a script that reads the page failed");
  }
  const JsonValue* value = at_path(result, {"result", "value"});
  if (value == nullptr || value->kind != JsonValue::Kind::text) {
    return fail(Errc::malformed, "a script that reads the page returned no text");
  }
  return value->text;
}

}  // namespace gossamer::render
