#include "http/redirect.h"

#include <utility>

#include "wire/response_head.h"

namespace gossamer::http {
namespace {

bool is_redirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

}  // namespace

Result<std::optional<url::Url>> redirect_target(const url::Url& from, const Response& answer) {
  if (!is_redirect(answer.status())) return std::nullopt;
  auto place = wire::location(answer.head());
  if (!place) return fail(std::move(place).error());
  if (!*place) return fail(Errc::malformed, "a redirect has no Location");
  auto target = from.resolve(**place);
  if (!target) return fail(std::move(target).error(), "in the Location of a redirect");
  return std::move(*target);
}

}  // namespace gossamer::http
