#include "run/crawl_hooks.h"

#include <string>
#include <utility>
#include <vector>

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
  if (of_user->wants_url) {
    hooks.wants_url = [of_user](const url::Url& url) { return of_user->wants_url(url); };
  }
  if (of_user->wants_leaf) {
    hooks.wants_leaf = [of_user](const url::Url& url) { return of_user->wants_leaf(url); };
  }
  if (of_user->wants_urls) {
    hooks.wants_urls = [of_user](std::vector<std::string> urls) {
      return of_user->wants_urls(std::move(urls));
    };
  }
  if (of_user->prepare_request) {
    hooks.prepare_request = [of_user](http::Request& request) {
      return of_user->prepare_request(request);
    };
  }
  if (of_user->score) {
    hooks.score = [of_user](const url::Url& url, std::uint32_t depth) {
      return of_user->score(url, depth);
    };
  }
  if (of_user->edit_request) {
    hooks.edit_request = [of_user](http::Request& request) { of_user->edit_request(request); };
  }
  if (of_user->answer_challenge) {
    hooks.answer_challenge = [of_user](http::Request& request, const wire::ResponseHead& head) {
      return of_user->answer_challenge(request, head);
    };
  }
  if (of_user->see_response) {
    hooks.see_response = [of_user](const url::Url& url, const http::Response& response) {
      of_user->see_response(url, response);
    };
  }
  if (of_user->see_link) {
    hooks.see_link = [of_user](const crawler::FoundLink& link) { of_user->see_link(link); };
  }
  return hooks;
}

}  // namespace gossamer::run
