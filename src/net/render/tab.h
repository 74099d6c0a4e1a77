#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/scope.h"
#include "async/task.h"
#include "base/json_value.h"
#include "base/result.h"
#include "base/time.h"
#include "render/connection.h"
#include "render/page_scripts.h"
#include "render/parts.h"
#include "render/protocol.h"
#include "render/readiness.h"

namespace gossamer::render {

// A page that was fetched already.
struct Document {
  std::string url;
  PartAnswer answer;
};

enum class Picture : std::uint8_t { none, whole_page };

struct RenderOptions {
  ReadinessOptions readiness;
  // How often the page is scrolled to its end, and then read when it is ready again.
  std::uint32_t scrolls = 0;
  Picture picture = Picture::none;
  bool has_pdf = false;
  // Fonts are loaded for pictures only; images if the browser loads them. Films and sounds never.
  bool loads_images = false;
  // BOUND: what a page may request.
  std::size_t parts_max = 500;
  std::size_t parts_in_flight_max = 8;
  std::size_t part_bytes_max = std::size_t{8} * 1024 * 1024;
  std::size_t bytes_max = std::size_t{64} * 1024 * 1024;
  // BOUND: the rendered page, in UTF-16 units.
  std::size_t html_bytes_max = std::size_t{16} * 1024 * 1024;
  // BOUND: a command to the browser, except those that draw.
  Duration command_time_max = 5s;
  Duration drawing_time_max = 30s;
};

struct Rendered {
  PageContent content;
  // Where scripts wanted to lead a user: windows, other pages, routes within the page.
  std::vector<std::string> routes;
  std::vector<std::string> problems;  // errors of its scripts
  std::string png;
  std::string pdf;
  std::size_t parts = 0;          // requests of the page
  std::size_t parts_refused = 0;  // of these, not answered
  std::uint64_t bytes = 0;        // of the answers
  Duration took = {};
  bool is_unready = false;  // it was read at the time limit
};

// One page of a browser, with cookies and storage of its own. Renders one document after the other.
class Tab final : public EventSink {
 public:
  // As the browser names its parts.
  struct Names {
    std::string context;
    std::string target;
    std::string session;
  };

  // REQUIRES: the page exists and is paused; prepare() is next. Use Browser::open_tab().
  Tab(std::shared_ptr<Connection> connection, Names names);
  Tab(const Tab&) = delete;
  Tab& operator=(const Tab&) = delete;
  ~Tab();  // closes it
  // BORROWS: the tab.
  async::Task<Result<void>> prepare();

  // Loads the document, waits until it is ready, and reads it. After a failure, open another tab.
  // BORROWS: the tab and the parts.
  async::Task<Result<Rendered>> render(Document document, Parts& parts, RenderOptions options);

 private:
  struct Rendering;

  void on_event(std::string_view method, const base::JsonValue& parameters) override;
  void on_paused(const base::JsonValue& parameters);
  // BORROWS: the tab and the rendering.
  async::Task<Result<void>> load_and_read(Rendering& rendering);
  // BORROWS: the tab and the rendering.
  async::Task<Result<std::uint64_t>> load(Rendering& rendering);
  // Returns the world in which scripts of ours run. BORROWS: the tab and the rendering.
  async::Task<Result<std::uint64_t>> make_world(Rendering& rendering);
  // BORROWS: the tab and the rendering.
  async::Task<Result<void>> wait_until_ready(Rendering& rendering, std::uint64_t world);
  // BORROWS: the tab and the rendering.
  async::Task<Result<void>> scroll(Rendering& rendering, std::uint64_t world);
  // BORROWS: the tab and the rendering.
  async::Task<Result<void>> read(Rendering& rendering, std::uint64_t world);
  // BORROWS: the tab and the rendering.
  async::Task<Result<void>> draw(Rendering& rendering);
  // BORROWS: the tab and the rendering.
  async::Task<void> answer(Rendering& rendering, PausedRequest paused);
  // BORROWS: the tab and the rendering.
  async::Task<void> stop(Rendering& rendering);
  async::Task<Result<std::string>> evaluate(std::string script, std::uint64_t world,
                                            Duration time_max);
  async::Task<Result<base::JsonValue>> call(Command command, Duration time_max);

  const std::shared_ptr<Connection> connection_;
  const Names names_;
  Rendering* rendering_ = nullptr;  // nullptr: none is running
};

}  // namespace gossamer::render
