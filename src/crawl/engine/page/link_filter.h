#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "async/task.h"
#include "engine/page/link_intake.h"
#include "engine/setup/options.h"
#include "frontier/target.h"
#include "http/response.h"
#include "url/url.h"

namespace gossamer::crawler {

class PageLinks;

// Lets a hook that waits (Hooks::wants_urls) decide about new URLs, before the intake adds them.
class LinkFilter {
 public:
  // BORROWS: both.
  LinkFilter(Hooks& hooks, LinkIntake& intake) : hooks_(hooks), intake_(intake) {}

  bool is_on() const { return static_cast<bool>(hooks_.wants_urls); }
  // Decides about the links of a page. Works in steps. Returns false if it was cancelled: nothing
  // may be added then. BORROWS: the links.
  async::Task<bool> judge(PageLinks& links);
  // The same for the target of a redirect of `from`, which is at `url`. BORROWS: all.
  async::Task<bool> judge_redirect(const Target& from, const url::Url& url,
                                   const http::Response& response);

 private:
  // BORROWS: the fingerprints, one for each URL.
  async::Task<bool> ask(std::vector<std::string> urls,
                        const std::vector<std::uint64_t>& fingerprints);

  Hooks& hooks_;
  LinkIntake& intake_;
};

}  // namespace gossamer::crawler
