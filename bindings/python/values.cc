#include "bindings/python/values.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include "base/time.h"
#include "record/skip_reason.h"

namespace gossamer::python {
namespace {

// Collects members of a dict; after a failure it does nothing.
class DictMaker {
 public:
  DictMaker() : dict_(PyDict_New()) {}

  void add(std::string_view name, Ref value) {
    const Ref key(to_str(name));
    const bool is_added =
        dict_ && key && value && PyDict_SetItem(dict_.get(), key.get(), value.get()) == 0;
    if (!is_added) dict_ = Ref();
  }
  void count(std::string_view name, std::uint64_t number) {
    add(name, Ref(PyLong_FromUnsignedLongLong(number)));
  }
  template <class Map>
  void counts(std::string_view name, const Map& map) {
    Ref inner(PyDict_New());
    for (const auto& [key, number] : map) {
      const Ref shown(key_of(key));
      const Ref value(PyLong_FromUnsignedLongLong(number));
      if (!inner || !shown || !value) return fail();
      if (PyDict_SetItem(inner.get(), shown.get(), value.get()) != 0) return fail();
    }
    add(name, std::move(inner));
  }
  PyObject* finish() { return dict_.release(); }

 private:
  static PyObject* key_of(int key) { return PyLong_FromLong(key); }
  static PyObject* key_of(std::string_view key) { return to_str(key); }
  void fail() { dict_ = Ref(); }

  Ref dict_;
};

}  // namespace

std::string_view name_of(run::Part part) {
  switch (part) {
    case run::Part::settings: return "settings";
    case run::Part::network: return "network";
    case run::Part::login: return "login";
    case run::Part::control: return "control";
    case run::Part::job: return "job";
    case run::Part::archive: return "archive";
    case run::Part::sink: return "sink";
    case run::Part::cookies: return "cookies";
    case run::Part::cluster: return "cluster";
    case run::Part::crawl: return "crawl";
  }
  return "crawl";
}

PyObject* to_dict(const run::CrawlProgress& progress) {
  DictMaker dict;
  dict.add("seconds",
           Ref(PyFloat_FromDouble(std::chrono::duration<double>(progress.since_start).count())));
  dict.count("pages", progress.pages);
  dict.count("pages_per_second", progress.pages_per_second);
  dict.count("wire_bytes", progress.wire_bytes);
  dict.count("in_flight", progress.in_flight);
  dict.count("waiting", progress.waiting);
  dict.count("hosts", progress.hosts);
  dict.count("connections", progress.connections);
  dict.count("streams", progress.streams);
  dict.counts("errors", progress.errors);
  dict.add("paused", Ref(PyBool_FromLong(progress.is_paused() ? 1 : 0)));
  return dict.finish();
}

PyObject* to_dict(const crawler::Statistics& statistics) {
  DictMaker dict;
  dict.count("pages", statistics.pages);
  dict.count("answered", statistics.answered);
  dict.count("redirects", statistics.count(crawler::Outcome::redirect));
  dict.count("failed", statistics.count(crawler::Outcome::error));
  dict.count("truncated", statistics.truncated);
  dict.count("retries", statistics.retries);
  dict.count("duplicates", statistics.duplicates);
  dict.count("bytes", statistics.bytes);
  dict.count("wire_bytes", statistics.wire_bytes);
  dict.count("links_found", statistics.links_found);
  dict.count("links_new", statistics.links_new);
  dict.counts("by_status", statistics.by_status);
  dict.counts("by_type", statistics.by_type);
  dict.counts("by_error", statistics.by_error);
  std::map<std::string_view, std::uint64_t> skipped;
  for (std::size_t i = 0; i < statistics.skipped.size(); ++i) {
    if (statistics.skipped[i] > 0) {
      skipped[crawler::name(static_cast<crawler::SkipReason>(i))] = statistics.skipped[i];
    }
  }
  dict.counts("skipped", skipped);
  return dict.finish();
}

}  // namespace gossamer::python
