#pragma once

#include <cstddef>

namespace gossamer::async {

// A doubly linked list of objects that contain their own links: O(1) removal from the middle, which
// a cancelled waiter needs, and no allocation.
template <class T>
class IntrusiveList;

template <class T>
class ListNode {
 public:
  ListNode() = default;
  ListNode(const ListNode&) = delete;
  ListNode& operator=(const ListNode&) = delete;

 protected:
  ~ListNode() = default;

 private:
  friend class IntrusiveList<T>;
  T* list_next_ = nullptr;
  T* list_previous_ = nullptr;
};

// REQUIRES: T derives from ListNode<T>; an object is in at most one list.
template <class T>
class IntrusiveList {
 public:
  IntrusiveList() = default;
  IntrusiveList(const IntrusiveList&) = delete;
  IntrusiveList& operator=(const IntrusiveList&) = delete;

  bool empty() const { return head_ == nullptr; }
  std::size_t size() const { return size_; }
  T& front() const { return *head_; }
  T* first() const { return head_; }
  T* last() const { return tail_; }
  T* next(const T& item) const { return node(item).list_next_; }

  void push_back(T& item) {
    node(item).list_next_ = nullptr;
    node(item).list_previous_ = tail_;
    (tail_ == nullptr ? head_ : node(*tail_).list_next_) = &item;
    tail_ = &item;
    ++size_;
  }

  void remove(T& item) {
    T* next = node(item).list_next_;
    T* previous = node(item).list_previous_;
    (previous == nullptr ? head_ : node(*previous).list_next_) = next;
    (next == nullptr ? tail_ : node(*next).list_previous_) = previous;
    node(item).list_next_ = node(item).list_previous_ = nullptr;
    --size_;
  }

  // REQUIRES: not empty.
  T& pop_front() {
    T& item = *head_;
    remove(item);
    return item;
  }

 private:
  static ListNode<T>& node(T& item) { return item; }
  static const ListNode<T>& node(const T& item) { return item; }

  T* head_ = nullptr;
  T* tail_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace gossamer::async
