#include "run/crawl_hooks.h"

#include <functional>
#include <utility>

#include "http/authenticator.h"
#include "settings/random_salt.h"

namespace gossamer::run {

crawler::Hooks hooks_of_loop(const std::shared_ptr<const CrawlFields>& fields,
                             crawler::Hooks of_user) {
  if (!fields || !fields->has_secrets()) return of_user;
  crawler::Hooks hooks = std::move(of_user);
  auto edit = std::move(hooks.edit_request);
  if (fields->credentials().empty()) {
    hooks.edit_request = [fields, edit = std::move(edit)](http::Request& request) mutable {
      fields->edit(request);
      if (edit) edit(request);
    };
    return hooks;
  }
  const auto authenticator =
      std::make_shared<http::Authenticator>(fields->credentials(), random_nonce);
  hooks.edit_request = [fields, authenticator,
                        edit = std::move(edit)](http::Request& request) mutable {
    fields->edit(request);
    authenticator->authorize(request);
    if (edit) edit(request);
  };
  hooks.answer_challenge = [authenticator, answer = std::move(hooks.answer_challenge)](
                               http::Request& request, const wire::ResponseHead& head) mutable {
    return authenticator->answer(request, head) || (answer && answer(request, head));
  };
  return hooks;
}

crawler::Hooks shared_hooks(const std::shared_ptr<crawler::Hooks>& of_user) {
  crawler::Hooks hooks;
  const auto share = [&]<class R, class... Parameters>(
                         std::move_only_function<R(Parameters...)> crawler::Hooks::* hook) {
    if (!((*of_user).*hook)) return;
    hooks.*hook = [of_user, hook](Parameters... parameters) {
      return std::invoke((*of_user).*hook, std::forward<Parameters>(parameters)...);
    };
  };
  share(&crawler::Hooks::wants_url);
  share(&crawler::Hooks::wants_leaf);
  share(&crawler::Hooks::wants_urls);
  share(&crawler::Hooks::prepare_request);
  share(&crawler::Hooks::score);
  share(&crawler::Hooks::edit_request);
  share(&crawler::Hooks::answer_challenge);
  share(&crawler::Hooks::see_response);
  share(&crawler::Hooks::see_link);
  return hooks;
}

}  // namespace gossamer::run
