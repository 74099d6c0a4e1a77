#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "async/loop.h"
#include "async/mutex.h"
#include "async/scope.h"
#include "async/semaphore.h"
#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "render/browser.h"
#include "render/browser_pipe.h"
#include "render/parts.h"
#include "render/tab.h"

namespace gossamer::render {

struct RendererOptions {
  LaunchOptions launch;
  // BOUND: pages that are rendered concurrently. Each takes about 50 MB and one processor.
  std::size_t pages_max = 3;
  // A browser that had this many pages, is this old or takes this much memory is replaced: some
  // leak. It serves other pages until the new one has started.
  std::size_t pages_per_browser_max = 500;
  Duration browser_time_max = 30min;
  std::uint64_t browser_bytes_max = std::uint64_t{1536} * 1024 * 1024;
  // A browser without work ends after this time.
  Duration idle_max = 10s;
  // After this many browsers in a row that did not start, the next one may start after a pause.
  // Until then every page fails immediately.
  std::size_t failed_starts_max = 2;
  Duration pause_after_failed_starts = 5min;
};

// Renders pages. A browser starts with the first page; one that crashes or falls silent is
// replaced, and its pages are tried once more.
class Renderer {
 public:
  // Browsers run in the scope. BORROWS: the launcher and the scope, until close().
  Renderer(BrowserLauncher& launcher, async::Scope& scope, const RendererOptions& options);
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;
  ~Renderer() = default;

  // Fails with Errc::not_found if no browser is installed. BORROWS: the renderer and the parts.
  async::Task<Result<Rendered>> render(Document document, Parts& parts, RenderOptions options);

  // Ends the browser. REQUIRES: no page is being rendered.
  void close() { browser_.reset(); }
  bool has_browser() const { return browser_ != nullptr; }
  // Of the last browser; empty before the first.
  std::optional<Isolation> isolation() const { return isolation_; }
  std::size_t browsers_started() const { return browsers_started_; }

 private:
  struct Running;

  // Returns a browser that takes one more page. BORROWS: the renderer.
  async::Task<Result<std::shared_ptr<Running>>> current_browser();
  // Starts a browser in place of a worn one. BORROWS: the renderer.
  async::Task<Result<std::shared_ptr<Running>>> replace_browser();
  // BORROWS: the renderer.
  async::Task<Result<std::shared_ptr<Running>>> start_browser();
  // BORROWS: the renderer, the document and the parts.
  async::Task<Result<Rendered>> render_with(std::shared_ptr<Running> running,
                                            const Document& document, Parts& parts,
                                            const RenderOptions& options);
  // BORROWS: as above.
  async::Task<Result<Rendered>> render_with_retry(const Document& document, Parts& parts,
                                                  const RenderOptions& options);
  bool has_open_browser() const;
  bool is_worn(const Running& running) const;
  bool may_start() const;
  void begin_idle();

  BrowserLauncher& launcher_;
  async::Scope& scope_;
  const RendererOptions options_;
  async::Semaphore pages_;
  async::Mutex starting_;
  std::shared_ptr<Running> browser_;  // may be used by pages after it was replaced here
  bool is_replacing_ = false;
  std::optional<Isolation> isolation_;
  std::size_t browsers_started_ = 0;
  std::size_t failed_starts_ = 0;  // in a row
  std::optional<Error> start_failure_;
  Instant next_start_ = {};
  std::size_t in_use_ = 0;
  async::TimerHandle idle_;
};

}  // namespace gossamer::render
