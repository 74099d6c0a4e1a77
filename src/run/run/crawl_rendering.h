#pragma once

#include <memory>

#include "async/loop.h"
#include "async/scope.h"
#include "async/task.h"
#include "base/result.h"
#include "net/resolver.h"
#include "render/browser_pipe.h"
#include "render/renderer.h"
#include "run/machine/machine.h"
#include "settings/crawl_settings.h"

namespace gossamer::run {

// The browsers of one loop of a crawl.
class CrawlRendering {
 public:
  // BORROWS: the resolver.
  CrawlRendering(Machine& machine, net::Resolver& resolver, async::Loop& loop,
                 const CrawlSettings& settings);
  CrawlRendering(const CrawlRendering&) = delete;
  CrawlRendering& operator=(const CrawlRendering&) = delete;

  // Fails with Errc::not_found if pages shall be rendered and no browser is installed.
  static Result<void> check(Machine& machine, const CrawlSettings& settings);
  // nullptr: no page is rendered.
  render::Renderer* renderer() { return renderer_.get(); }
  // Ends the browsers. REQUIRES: no page is being rendered. BORROWS: this.
  async::Task<void> close();

 private:
  async::Scope browsers_;
  std::unique_ptr<render::BrowserLauncher> launcher_;
  std::unique_ptr<render::Renderer> renderer_;
};

}  // namespace gossamer::run
