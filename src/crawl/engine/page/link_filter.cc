#include "engine/page/link_filter.h"

#include <cstddef>
#include <utility>

#include "async/sleep.h"
#include "base/check.h"
#include "engine/page/page_links.h"
#include "http/redirect.h"
#include "url/secrets.h"

namespace gossamer::crawler {

async::Task<bool> LinkFilter::judge(PageLinks& links) {
  std::vector<PageLinks::Candidate> candidates;
  while (!links.list_some(candidates) && co_await async::yield_now()) {
  }
  std::vector<std::string> urls;
  std::vector<std::uint64_t> fingerprints;
  for (PageLinks::Candidate& candidate : candidates) {
    urls.push_back(std::move(candidate.url));
    fingerprints.push_back(candidate.fingerprint);
  }
  if (async::cancel_requested()) co_return false;
  co_return urls.empty() || co_await ask(std::move(urls), fingerprints);
}

async::Task<bool> LinkFilter::judge_redirect(const Target& from, const url::Url& url,
                                             const http::Response& response) {
  const auto next = http::redirect_target(url, response);
  // A root that has moved is still a root.
  if (!next || !*next || from.is_root() || from.is_probe()) co_return true;
  const url::Url target = url::strip_credentials(**next);
  const std::vector<std::uint64_t> fingerprints = {intake_.fingerprint(target)};
  if (!intake_.may_add(target, fingerprints.front(), from)) co_return true;
  std::vector<std::string> urls;
  urls.emplace_back(target.without_fragment());
  co_return co_await ask(std::move(urls), fingerprints);
}

async::Task<bool> LinkFilter::ask(std::vector<std::string> urls,
                                  const std::vector<std::uint64_t>& fingerprints) {
  const auto wanted = co_await hooks_.wants_urls(std::move(urls));
  if (!wanted) co_return false;
  CHECK(wanted->size() == fingerprints.size(), "a hook has not decided about all URLs");
  for (std::size_t i = 0; i < fingerprints.size(); ++i) {
    if (!(*wanted)[i]) intake_.filter(fingerprints[i]);
  }
  co_return true;
}

}  // namespace gossamer::crawler
