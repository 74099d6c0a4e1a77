#include "examples/chat/chat_server.h"

#include <utility>

#include "async/scope.h"
#include "async/timeout.h"

namespace gossamer::sim {

using async::Listener;
using async::Scope;
using async::Socket;
using async::Task;

void ChatRoom::tell() {
  changed_.set();
  changed_.clear();
}

void ChatRoom::tell_if_finished() {
  if (finished()) tell();
}

void ChatRoom::add(ChatFrame line) {
  line.number = static_cast<std::uint32_t>(lines_.size());
  lines_.push_back(std::move(line));
  tell();
}

void ChatRoom::close_doors() {
  doors_closed_ = true;
  tell_if_finished();
}

ChatServer::ChatServer(const async::Endpoint& endpoint, std::size_t rooms, ChatPatience patience,
                       ChatTraffic& traffic)
    : endpoint_(endpoint), patience_(patience), traffic_(traffic), rooms_(rooms) {}

namespace {

// BORROWS: the listener, until it is over.
Task<Result<Socket>> accept(Listener& listener) { co_return co_await listener.accept(); }

// BORROWS: the event, until it is over.
Task<Result<void>> wait_for(async::Event& event) { co_return co_await event.wait(); }

}  // namespace

Task<Result<void>> ChatServer::serve(Instant doors_close) {
  auto listener = Listener::bind(endpoint_);
  if (!listener) co_return fail(std::move(listener).error());
  Scope members(async::OnFailure::keep_going);
  for (;;) {
    auto socket = co_await async::with_deadline(doors_close, accept(*listener));
    if (!socket) break;
    members.spawn(attend(std::move(*socket)));
  }
  doors_closed_ = true;
  for (ChatRoom& room : rooms_) room.close_doors();
  co_return co_await members.join();
}

Task<Result<void>> ChatServer::attend(Socket socket) {
  ChatWire wire(std::move(socket), patience_, traffic_);
  auto join = co_await wire.hear();
  if (!join) co_return fail(std::move(join).error());
  if (join->kind != ChatFrame::Kind::join || join->number >= rooms_.size()) {
    co_return fail(Errc::malformed, "joining a room");
  }
  if (doors_closed_) co_return fail(Errc::unavailable, "the doors are closed");
  ChatRoom& room = rooms_[join->number];
  Scope scope(async::OnFailure::keep_going);
  scope.spawn(tell_all(wire, room, room.lines().size()));
  const auto heard = co_await hear_out(wire, room, join->client);
  // A client that disconnected while speaking does not listen either.
  if (!heard) scope.cancel();
  co_return co_await scope.join();
}

Task<Result<void>> ChatServer::hear_out(ChatWire& wire, ChatRoom& room, std::uint32_t client) {
  const ChatRoom::Speaker speaker(room);
  for (;;) {
    auto frame = co_await wire.hear();
    if (!frame && frame.error() == Errc::closed) co_return {};
    if (!frame) co_return fail(std::move(frame).error());
    if (frame->kind != ChatFrame::Kind::line || frame->client != client) {
      co_return fail(Errc::malformed, "saying a line");
    }
    room.add(std::move(*frame));
  }
}

Task<Result<void>> ChatServer::tell_all(ChatWire& wire, ChatRoom& room, std::size_t first) {
  auto said = co_await wire.say(
      {.kind = ChatFrame::Kind::welcome, .number = static_cast<std::uint32_t>(first)});
  for (std::size_t next = first; said;) {
    if (next < room.lines().size()) {
      said = co_await wire.say(room.lines()[next++]);
    } else if (room.finished()) {
      co_return co_await wire.finish();
    } else {
      // A room without new lines and without leaving clients: hear_out() ends it before.
      said = co_await async::with_timeout(2 * patience_.receive, wait_for(room.changed()));
    }
  }
  co_return said;
}

}  // namespace gossamer::sim
