#include "bindings/python/stream.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/python/arguments.h"
#include "bindings/python/forks.h"
#include "bindings/python/hooks.h"
#include "bindings/python/page.h"
#include "bindings/python/values.h"
#include "options/setting_names.h"
#include "report/phrases.h"
#include "run/hook_relay.h"
#include "run/page_stream.h"
#include "settings/crawl_keywords.h"

namespace gossamer::python {
namespace {

// The end of a crawl.
struct StreamEnd {
  std::string reason;
  std::string failed_part;  // empty: nothing failed
  std::string failure;
  double seconds = 0;
  crawler::Statistics statistics;
};

struct StreamObject {
  PyObject_HEAD struct Members {
    // Shared with calls in progress on other threads. nullptr: closed.
    std::shared_ptr<run::PageStream> stream;
    std::shared_ptr<run::HookRelay> relay;  // nullptr: there are no hooks
    std::optional<StreamEnd> end;           // empty: there are more pages, or it was closed before
    PyObject* page_type = nullptr;
    std::uint64_t forks_before = 0;
    int news = -1;  // an eventfd: readable if there may be a page or the end
    bool has_bodies = true;
  }* members;
};

StreamObject::Members& members_of(PyObject* self) {
  return *reinterpret_cast<StreamObject*>(self)->members;
}

bool is_of_parent(const StreamObject::Members& members) {
  return members.forks_before != fork_count();
}

// Returns false and sets an exception in a child process.
bool is_usable(const StreamObject::Members& members) {
  if (!is_of_parent(members)) return true;
  PyErr_SetString(PyExc_RuntimeError,
                  "this crawl belongs to the process before os.fork(); start one here instead");
  return false;
}

StreamEnd end_of(const run::Outcome<run::CrawlEnd>& outcome) {
  StreamEnd end;
  const run::Failure* failure = nullptr;
  if (outcome) {
    end.reason = report::name(outcome->reason);
    end.seconds = std::chrono::duration<double>(outcome->took).count();
    end.statistics = outcome->statistics;
    if (outcome->failure) failure = &*outcome->failure;
  } else {
    end.reason = report::name(crawler::EndReason::failed);
    failure = &outcome.error();
  }
  if (failure != nullptr) {
    end.failed_part = name_of(failure->part);
    end.failure = options::as_keywords(failure->error.message());
  }
  return end;
}

void tell_news(int news) {
  const std::uint64_t one = 1;
  static_cast<void>(!write(news, &one, sizeof(one)));
}

// Ends the crawl and waits for its thread. In a child process it only forgets the crawl.
void close_stream(StreamObject::Members& members) {
  std::shared_ptr<run::PageStream> stream = std::move(members.stream);
  members.stream = nullptr;
  if (!stream) return;
  if (is_of_parent(members)) {
    static_cast<void>(new std::shared_ptr<run::PageStream>(std::move(stream)));  // never destroyed
    return;
  }
  tell_news(members.news);  // for everybody who waits, from now on
  const WithoutGil others_run;
  stream.reset();
}

// Returns nothing after a Python exception.
std::optional<run::CrawlSettings> read_settings(PyObject* urls, PyObject* settings) {
  auto arguments = read_arguments(urls, settings);
  if (!arguments) return std::nullopt;
  std::optional<Result<run::CrawlSettings>> read;
  {
    const WithoutGil others_run;  // it may read files, and many URLs
    read.emplace(settings::crawl_settings_of(std::move(arguments->words), arguments->keywords));
  }
  if (!*read) {
    set_settings_error(read->error());
    return std::nullopt;
  }
  if ((*read)->job.folder.empty()) return std::move(**read);
  if (has_lost_storage()) {
    PyErr_SetString(PyExc_RuntimeError,
                    "this process cannot use job: a crawl before os.fork() used it, and the threads"
                    " of its storage do not survive a fork; use multiprocessing with spawn");
    return std::nullopt;
  }
  note_storage();
  return std::move(**read);
}

// --- methods

PyObject* start_stream(PyTypeObject* type, PyObject* arguments) {
  PyObject* urls = nullptr;
  PyObject* settings = nullptr;
  PyObject* page_type = nullptr;
  int has_bodies = 1;
  int filters_urls = 0;
  int edits_requests = 0;
  if (PyArg_ParseTuple(arguments, "OOpOpp:Stream", &urls, &settings, &has_bodies, &page_type,
                       &filters_urls, &edits_requests) == 0) {
    return nullptr;
  }
  if (!check_type(is_page_type(page_type), "the type of pages")) return nullptr;
  auto crawl = read_settings(urls, settings);
  if (!crawl) return nullptr;
  crawl->keeps_bodies = has_bodies != 0;
  crawl->keeps_heads = true;
  const auto alloc = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  Ref self(alloc(type, 0));
  if (!self) return nullptr;
  auto members = std::make_unique<StreamObject::Members>();
  members->page_type = Py_NewRef(page_type);
  members->forks_before = fork_count();
  members->has_bodies = has_bodies != 0;
  // It is readable at first, so that a reader that waits before its first take() gets its turn.
  members->news = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);
  reinterpret_cast<StreamObject*>(self.get())->members = members.release();
  if (members_of(self.get()).news < 0) return PyErr_SetFromErrno(PyExc_OSError);
  if (filters_urls != 0 || edits_requests != 0) {
    // Hooks are called only while the stream lives, and it closes the descriptor after that.
    const auto tell = [news = members_of(self.get()).news] { tell_news(news); };
    const auto relay = std::make_shared<run::HookRelay>(tell);
    if (filters_urls != 0) relay->filter_urls(crawl->hooks);
    if (edits_requests != 0) relay->edit_requests(crawl->hooks);
    members_of(self.get()).relay = relay;
  }
  members_of(self.get()).stream =
      std::make_shared<run::PageStream>(run::PageStream::of_completed(std::move(*crawl)));
  return self.release();
}

PyObject* make_stream(PyTypeObject* type, PyObject* arguments, PyObject*) {
  return guarded([&] { return start_stream(type, arguments); });
}

void dealloc(PyObject* self) {
  StreamObject::Members* const members = reinterpret_cast<StreamObject*>(self)->members;
  if (members != nullptr) {
    close_stream(*members);
    if (members->news >= 0) close(members->news);
    Py_XDECREF(members->page_type);
    delete members;
  }
  free_object(self);
}

// Remembers the end, and joins the thread, which has nothing left to do.
void finish_stream(StreamObject::Members& members) {
  if (const auto* const result = members.stream->result()) members.end = end_of(*result);
  close_stream(members);
}

// Returns None if there is no page now.
PyObject* take_page(StreamObject::Members& members) {
  if (!members.stream) return Py_NewRef(Py_None);
  const auto tell = [news = members.news] { tell_news(news); };
  bool has_ended = false;
  auto page = members.stream->try_next(has_ended, tell);
  if (!page && !has_ended) {
    // While there is a page or an end, the descriptor is readable: other tasks may wait for it.
    std::uint64_t count = 0;
    // Nothing to read is fine: there was no news.
    static_cast<void>(!read(members.news, &count, sizeof(count)));
    // Its news may have been read now.
    if (members.relay && members.relay->has_questions()) tell_news(members.news);
    page = members.stream->try_next(has_ended, tell);
    if (page) tell_news(members.news);
  }
  if (page) {
    return make_page(reinterpret_cast<PyTypeObject*>(members.page_type), std::move(*page),
                     members.has_bodies);
  }
  if (has_ended) {
    tell_news(members.news);
    finish_stream(members);
  }
  return Py_NewRef(Py_None);
}

PyObject* take(PyObject* self, PyObject*) { return take_from(self); }

PyObject* close_method(PyObject* self, PyObject*) {
  close_stream(members_of(self));
  return Py_NewRef(Py_None);
}

PyObject* fileno_method(PyObject* self, PyObject*) {
  if (!is_usable(members_of(self))) return nullptr;
  return PyLong_FromLong(members_of(self).news);
}

PyObject* questions(PyObject* self, PyObject*) {
  const StreamObject::Members& members = members_of(self);
  if (!is_usable(members)) return nullptr;
  if (!members.relay || !members.stream) return Py_NewRef(Py_None);
  return guarded([&members] { return take_questions(*members.relay); });
}

PyObject* answer(PyObject* self, PyObject* arguments) {
  const StreamObject::Members& members = members_of(self);
  if (!is_usable(members)) return nullptr;
  if (!members.relay || !members.stream) return Py_NewRef(Py_None);
  return guarded([&] { return answer_questions(*members.relay, arguments); });
}

// Calls a function of the stream, unless it has ended.
template <void (run::PageStream::*kFunction)()>
PyObject* steer(PyObject* self, PyObject*) {
  const StreamObject::Members& members = members_of(self);
  if (!is_usable(members)) return nullptr;
  if (members.stream) ((*members.stream).*kFunction)();
  return Py_NewRef(Py_None);
}

// Returns None after the end.
PyObject* progress(PyObject* self, PyObject*) {
  const StreamObject::Members& members = members_of(self);
  if (!is_usable(members)) return nullptr;
  std::shared_ptr<run::PageStream> stream = members.stream;
  if (!stream) return Py_NewRef(Py_None);
  run::CrawlProgress now;
  {
    const WithoutGil others_run;
    now = stream->progress();
    stream.reset();  // may be the last owner, and join the thread
  }
  return to_dict(now);
}

PyObject* get_is_open(PyObject* self, void*) {
  return PyBool_FromLong(members_of(self).stream ? 1 : 0);
}

// (reason, failed part, failure, seconds, statistics); None before the end.
PyObject* get_end(PyObject* self, void*) {
  const std::optional<StreamEnd>& end = members_of(self).end;
  if (!end) return Py_NewRef(Py_None);
  const Ref statistics(to_dict(end->statistics));
  const Ref failure(to_str(end->failure));
  if (!statistics || !failure) return nullptr;
  return Py_BuildValue("ssOdO", end->reason.c_str(), end->failed_part.c_str(), failure.get(),
                       end->seconds, statistics.get());
}

// --- the type

PyMethodDef methods[] = {
    {"take", take, METH_NOARGS, "Return a page; None if there is none now."},
    {"questions", questions, METH_NOARGS, "Return what waits for hooks; None: nothing."},
    {"answer", answer, METH_VARARGS, "Answer questions."},
    {"close", close_method, METH_NOARGS, "End the crawl and wait for its thread."},
    {"fileno", fileno_method, METH_NOARGS, "Return a descriptor: readable when to call take()."},
    {"stop", steer<&run::PageStream::stop>, METH_NOARGS, "Start no more fetches."},
    {"pause", steer<&run::PageStream::pause>, METH_NOARGS, "Pause the crawl."},
    {"resume", steer<&run::PageStream::resume>, METH_NOARGS, "Resume the crawl."},
    {"progress", progress, METH_NOARGS, "Return counts as a dict; None after the end."},
    {nullptr, nullptr, 0, nullptr}};

PyGetSetDef getters[] = {
    {"is_open", get_is_open, nullptr, "False after the last page, and after close().", nullptr},
    {"end", get_end, nullptr, "How the crawl ended; None before.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(make_stream)},
                       {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
                       {Py_tp_methods, methods},
                       {Py_tp_getset, getters},
                       {Py_tp_doc, const_cast<char*>("A crawl on its own thread.")},
                       {0, nullptr}};

PyType_Spec spec = {.name = "gossamer._core.Stream",
                    .basicsize = sizeof(StreamObject),
                    .itemsize = 0,
                    .flags = Py_TPFLAGS_DEFAULT,
                    .slots = slots};

}  // namespace

bool add_stream_type(PyObject* module) {
  if (!watch_forks()) {
    PyErr_SetString(PyExc_ImportError, "gossamer cannot watch for os.fork()");
    return false;
  }
  return add_type(module, "Stream", spec);
}

bool is_stream(PyObject* object) {
  return PyType_GetSlot(Py_TYPE(object), Py_tp_new) == reinterpret_cast<void*>(make_stream);
}

PyObject* take_from(PyObject* stream) {
  StreamObject::Members& members = members_of(stream);
  if (!is_usable(members)) return nullptr;
  return guarded([&members] { return take_page(members); });
}

int news_of(PyObject* stream) { return members_of(stream).news; }

}  // namespace gossamer::python
