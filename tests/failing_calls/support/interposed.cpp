// Functions of the system library that this program defines itself, and that its libraries therefore call,
// too. Where a call is to fail, they fail; otherwise, the system library does its work.

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <optional>
#include <utility>

#include <dlfcn.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

#include "failing_calls/support/durable_files.h"
#include "failing_calls/support/injection.h"

namespace {

namespace durable_files = tally::test::durable_files;

using tally::test::Call;
using tally::test::fails;
using tally::test::OnSide;
using tally::test::Side;

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// The kind of a file. Leaves `errno` unchanged.
mode_t kindOf(int file) {
  const int before = errno;
  struct stat found{};
  const bool isKnown = ::syscall(SYS_newfstatat, file, "", &found, AT_EMPTY_PATH) == 0;
  errno = before;
  return isKnown ? found.st_mode & S_IFMT : 0;
}

/// A transfer from or to a file or a socket. Others, such as those of an eventfd, don't fail.
bool transferFails(int file, Call ofFile, Call ofSocket, std::size_t& size) {
  if (tally::test::currentSide() == Side::none) return false;
  const mode_t kind = kindOf(file);
  if (kind == S_IFREG) return fails(ofFile, size);
  return kind == S_IFSOCK && fails(ofSocket, size);
}

bool readFails(int file, std::size_t& size) {
  return transferFails(file, Call::read, Call::receive, size);
}

bool writeFails(int file, std::size_t& size) {
  return transferFails(file, Call::write, Call::send, size);
}

/// A transfer of several buffers, of which only the first byte may be transferred.
class Pieces {
 public:
  Pieces(const iovec* pieces, std::size_t count) : pieces_(pieces), count_(count) {
    for (std::size_t at = 0; at < count; ++at)
      size_ += pieces[at].iov_len;
    wanted_ = size_;
  }
  Pieces(const Pieces&) = delete;
  Pieces& operator=(const Pieces&) = delete;

  std::size_t& size() { return size_; }
  [[nodiscard]] const iovec* pieces() {
    if (size_ == wanted_) return pieces_;
    std::size_t at = 0;
    while (pieces_[at].iov_len == 0)
      ++at;
    first_ = {.iov_base = pieces_[at].iov_base, .iov_len = size_};
    return &first_;
  }
  [[nodiscard]] std::size_t count() const { return size_ == wanted_ ? count_ : 1; }

 private:
  const iovec* pieces_;
  std::size_t count_;
  std::size_t size_ = 0;
  std::size_t wanted_ = 0;
  iovec first_{};
};

msghdr messageWith(const msghdr& message, Pieces& pieces) {
  msghdr shortened = message;
  shortened.msg_iov = const_cast<iovec*>(pieces.pieces());
  shortened.msg_iovlen = pieces.count();
  return shortened;
}

bool locks(int command) {
  return command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW;
}

bool mayCreate(int flags) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0;
}

struct Start {
  Side side;
  void* (*function)(void*);
  void* argument;
};

void* run(void* argument) {
  const Start start = *static_cast<Start*>(argument);
  {
    const tally::test::Exempt exempt;
    delete static_cast<Start*>(argument);
  }
  const OnSide side{start.side};
  return start.function(start.argument);
}

/// After a reset, the connection delivers nothing more, so that no thread waits for it.
ssize_t failOn(int socket) {
  const int error = errno;
  if (error == ECONNRESET) ::shutdown(socket, SHUT_RDWR);
  errno = error;
  return -1;
}

}  // namespace

extern "C" {

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*),
                   void* argument) noexcept {
  static auto* const system =
      next<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  if (fails(Call::thread)) return errno;
  const tally::test::Exempt exempt;
  auto* const start =
      new Start{.side = tally::test::currentSide(), .function = function, .argument = argument};
  const int fault = system(thread, attributes, run, start);
  if (fault != 0) delete start;
  return fault;
}

// ---- Sockets

int socket(int domain, int type, int protocol) noexcept {
  static auto* const system = next<int(int, int, int)>("socket");
  return fails(Call::socket) ? -1 : system(domain, type, protocol);
}

int socketpair(int domain, int type, int protocol, int* sockets) noexcept {
  static auto* const system = next<int(int, int, int, int*)>("socketpair");
  return fails(Call::socket) ? -1 : system(domain, type, protocol, sockets);
}

int connect(int socket, const sockaddr* address, socklen_t size) {
  static auto* const system = next<int(int, const sockaddr*, socklen_t)>("connect");
  return fails(Call::connect) ? -1 : system(socket, address, size);
}

int bind(int socket, const sockaddr* address, socklen_t size) noexcept {
  static auto* const system = next<int(int, const sockaddr*, socklen_t)>("bind");
  return fails(Call::bind) ? -1 : system(socket, address, size);
}

int listen(int socket, int waiting) noexcept {
  static auto* const system = next<int(int, int)>("listen");
  return fails(Call::listen) ? -1 : system(socket, waiting);
}

int accept(int socket, sockaddr* address, socklen_t* size) {
  static auto* const system = next<int(int, sockaddr*, socklen_t*)>("accept");
  return fails(Call::accept) ? -1 : system(socket, address, size);
}

int accept4(int socket, sockaddr* address, socklen_t* size, int flags) {
  static auto* const system = next<int(int, sockaddr*, socklen_t*, int)>("accept4");
  return fails(Call::accept) ? -1 : system(socket, address, size, flags);
}

int setsockopt(int socket, int level, int name, const void* value, socklen_t size) noexcept {
  static auto* const system = next<int(int, int, int, const void*, socklen_t)>("setsockopt");
  return fails(Call::socketOption) ? -1 : system(socket, level, name, value, size);
}

int getsockopt(int socket, int level, int name, void* value, socklen_t* size) noexcept {
  static auto* const system = next<int(int, int, int, void*, socklen_t*)>("getsockopt");
  return fails(Call::socketOption) ? -1 : system(socket, level, name, value, size);
}

int getsockname(int socket, sockaddr* address, socklen_t* size) noexcept {
  static auto* const system = next<int(int, sockaddr*, socklen_t*)>("getsockname");
  return fails(Call::socketName) ? -1 : system(socket, address, size);
}

int getpeername(int socket, sockaddr* address, socklen_t* size) noexcept {
  static auto* const system = next<int(int, sockaddr*, socklen_t*)>("getpeername");
  return fails(Call::socketName) ? -1 : system(socket, address, size);
}

ssize_t send(int socket, const void* bytes, std::size_t size, int flags) {
  static auto* const system = next<ssize_t(int, const void*, std::size_t, int)>("send");
  return fails(Call::send, size) ? failOn(socket) : system(socket, bytes, size, flags);
}

ssize_t sendto(int socket, const void* bytes, std::size_t size, int flags, const sockaddr* to,
               socklen_t length) {
  static auto* const system =
      next<ssize_t(int, const void*, std::size_t, int, const sockaddr*, socklen_t)>("sendto");
  return fails(Call::send, size) ? failOn(socket) : system(socket, bytes, size, flags, to, length);
}

ssize_t sendmsg(int socket, const msghdr* message, int flags) {
  static auto* const system = next<ssize_t(int, const msghdr*, int)>("sendmsg");
  Pieces pieces{message->msg_iov, message->msg_iovlen};
  if (fails(Call::send, pieces.size())) return -1;
  const msghdr sent = messageWith(*message, pieces);
  return system(socket, &sent, flags);
}

ssize_t recv(int socket, void* bytes, std::size_t size, int flags) {
  static auto* const system = next<ssize_t(int, void*, std::size_t, int)>("recv");
  return fails(Call::receive, size) ? failOn(socket) : system(socket, bytes, size, flags);
}

ssize_t recvfrom(int socket, void* bytes, std::size_t size, int flags, sockaddr* from, socklen_t* length) {
  static auto* const system = next<ssize_t(int, void*, std::size_t, int, sockaddr*, socklen_t*)>("recvfrom");
  return fails(Call::receive, size) ? failOn(socket) : system(socket, bytes, size, flags, from, length);
}

ssize_t recvmsg(int socket, msghdr* message, int flags) {
  static auto* const system = next<ssize_t(int, msghdr*, int)>("recvmsg");
  Pieces pieces{message->msg_iov, message->msg_iovlen};
  if (fails(Call::receive, pieces.size())) return -1;
  msghdr received = messageWith(*message, pieces);
  const ssize_t result = system(socket, &received, flags);
  message->msg_flags = received.msg_flags;
  message->msg_namelen = received.msg_namelen;
  message->msg_controllen = received.msg_controllen;
  return result;
}

int getaddrinfo(const char* node, const char* service, const addrinfo* hints, addrinfo** found) {
  static auto* const system = next<int(const char*, const char*, const addrinfo*, addrinfo**)>("getaddrinfo");
  return fails(Call::lookup) ? EAI_AGAIN : system(node, service, hints, found);
}

// ---- Events

int poll(pollfd* polled, nfds_t count, int timeout) {
  static auto* const system = next<int(pollfd*, nfds_t, int)>("poll");
  return fails(Call::poll) ? -1 : system(polled, count, timeout);
}

int epoll_create1(int flags) noexcept {
  static auto* const system = next<int(int)>("epoll_create1");
  return fails(Call::epoll) ? -1 : system(flags);
}

int epoll_ctl(int epoll, int operation, int file, epoll_event* event) noexcept {
  static auto* const system = next<int(int, int, int, epoll_event*)>("epoll_ctl");
  const bool isAdded = operation == EPOLL_CTL_ADD;  // the others need nothing
  return isAdded && fails(Call::epollAdd) ? -1 : system(epoll, operation, file, event);
}

int epoll_wait(int epoll, epoll_event* events, int most, int timeout) {
  static auto* const system = next<int(int, epoll_event*, int, int)>("epoll_wait");
  return fails(Call::epollWait) ? -1 : system(epoll, events, most, timeout);
}

int epoll_pwait2(int epoll, epoll_event* events, int most, const timespec* timeout, const sigset_t* signals) {
  static auto* const system =
      next<int(int, epoll_event*, int, const timespec*, const sigset_t*)>("epoll_pwait2");
  return fails(Call::epollWait) ? -1 : system(epoll, events, most, timeout, signals);
}

int eventfd(unsigned count, int flags) noexcept {
  static auto* const system = next<int(unsigned, int)>("eventfd");
  return fails(Call::eventfd) ? -1 : system(count, flags);
}

int timerfd_create(clockid_t clock, int flags) noexcept {
  static auto* const system = next<int(clockid_t, int)>("timerfd_create");
  return fails(Call::timerfd) ? -1 : system(clock, flags);
}

int pipe2(int* ends, int flags) noexcept {
  static auto* const system = next<int(int*, int)>("pipe2");
  return fails(Call::pipe) ? -1 : system(ends, flags);
}

// ---- Files

int open(const char* name, int flags, ...) {
  static auto* const system = next<int(const char*, int, ...)>("open");
  va_list list;
  va_start(list, flags);
  const mode_t mode = mayCreate(flags) ? va_arg(list, mode_t) : 0;
  va_end(list);
  return fails(Call::open) ? -1 : system(name, flags, mode);
}

int open64(const char* name, int flags, ...) {
  static auto* const system = next<int(const char*, int, ...)>("open64");
  va_list list;
  va_start(list, flags);
  const mode_t mode = mayCreate(flags) ? va_arg(list, mode_t) : 0;
  va_end(list);
  return fails(Call::open) ? -1 : system(name, flags, mode);
}

int openat(int folder, const char* name, int flags, ...) {
  static auto* const system = next<int(int, const char*, int, ...)>("openat");
  va_list list;
  va_start(list, flags);
  const mode_t mode = mayCreate(flags) ? va_arg(list, mode_t) : 0;
  va_end(list);
  return fails(Call::open) ? -1 : system(folder, name, flags, mode);
}

FILE* fopen(const char* name, const char* mode) {
  static auto* const system = next<FILE*(const char*, const char*)>("fopen");
  return fails(Call::open) ? nullptr : system(name, mode);
}

FILE* fopen64(const char* name, const char* mode) {
  static auto* const system = next<FILE*(const char*, const char*)>("fopen64");
  return fails(Call::open) ? nullptr : system(name, mode);
}

/// A file is closed even if this says that it has not been written.
int close(int file) {
  static auto* const system = next<int(int)>("close");
  const bool isFile = tally::test::currentSide() != Side::none && kindOf(file) == S_IFREG;
  const bool hasFailed = isFile && fails(Call::close);
  const int error = errno;
  const int result = system(file);
  if (!hasFailed) return result;
  errno = error;
  return -1;
}

ssize_t read(int file, void* bytes, std::size_t size) {
  static auto* const system = next<ssize_t(int, void*, std::size_t)>("read");
  return readFails(file, size) ? -1 : system(file, bytes, size);
}

ssize_t pread(int file, void* bytes, std::size_t size, off_t at) {
  static auto* const system = next<ssize_t(int, void*, std::size_t, off_t)>("pread");
  return readFails(file, size) ? -1 : system(file, bytes, size, at);
}

ssize_t pread64(int file, void* bytes, std::size_t size, off64_t at) {
  static auto* const system = next<ssize_t(int, void*, std::size_t, off64_t)>("pread64");
  return readFails(file, size) ? -1 : system(file, bytes, size, at);
}

ssize_t readv(int file, const iovec* vector, int count) {
  static auto* const system = next<ssize_t(int, const iovec*, int)>("readv");
  Pieces pieces{vector, static_cast<std::size_t>(count)};
  if (readFails(file, pieces.size())) return -1;
  const iovec* const read = pieces.pieces();
  return system(file, read, static_cast<int>(pieces.count()));
}

ssize_t write(int file, const void* bytes, std::size_t size) {
  static auto* const system = next<ssize_t(int, const void*, std::size_t)>("write");
  return writeFails(file, size) ? -1 : system(file, bytes, size);
}

ssize_t pwrite(int file, const void* bytes, std::size_t size, off_t at) {
  static auto* const system = next<ssize_t(int, const void*, std::size_t, off_t)>("pwrite");
  return writeFails(file, size) ? -1 : system(file, bytes, size, at);
}

ssize_t pwrite64(int file, const void* bytes, std::size_t size, off64_t at) {
  static auto* const system = next<ssize_t(int, const void*, std::size_t, off64_t)>("pwrite64");
  return writeFails(file, size) ? -1 : system(file, bytes, size, at);
}

ssize_t writev(int file, const iovec* vector, int count) {
  static auto* const system = next<ssize_t(int, const iovec*, int)>("writev");
  Pieces pieces{vector, static_cast<std::size_t>(count)};
  if (writeFails(file, pieces.size())) return -1;
  const iovec* const written = pieces.pieces();
  return system(file, written, static_cast<int>(pieces.count()));
}

int fsync(int file) {
  static auto* const system = next<int(int)>("fsync");
  return fails(Call::sync) ? -1 : durable_files::synced(file, system(file));
}

int fdatasync(int file) {
  static auto* const system = next<int(int)>("fdatasync");
  return fails(Call::sync) ? -1 : durable_files::synced(file, system(file));
}

int ftruncate(int file, off_t size) noexcept {
  static auto* const system = next<int(int, off_t)>("ftruncate");
  return fails(Call::truncate) ? -1 : system(file, size);
}

int ftruncate64(int file, off64_t size) noexcept {
  static auto* const system = next<int(int, off64_t)>("ftruncate64");
  return fails(Call::truncate) ? -1 : system(file, size);
}

int rename(const char* from, const char* to) noexcept {
  static auto* const system = next<int(const char*, const char*)>("rename");
  return fails(Call::rename) ? -1 : durable_files::renamed(from, to, system(from, to));
}

int unlink(const char* name) noexcept {
  static auto* const system = next<int(const char*)>("unlink");
  return fails(Call::remove) ? -1 : durable_files::removed(name, system(name));
}

int stat(const char* name, struct stat* found) noexcept {
  static auto* const system = next<int(const char*, struct stat*)>("stat");
  return fails(Call::status) ? -1 : system(name, found);
}

int stat64(const char* name, struct stat64* found) noexcept {
  static auto* const system = next<int(const char*, struct stat64*)>("stat64");
  return fails(Call::status) ? -1 : system(name, found);
}

int lstat(const char* name, struct stat* found) noexcept {
  static auto* const system = next<int(const char*, struct stat*)>("lstat");
  return fails(Call::status) ? -1 : system(name, found);
}

int lstat64(const char* name, struct stat64* found) noexcept {
  static auto* const system = next<int(const char*, struct stat64*)>("lstat64");
  return fails(Call::status) ? -1 : system(name, found);
}

int fstat(int file, struct stat* found) noexcept {
  static auto* const system = next<int(int, struct stat*)>("fstat");
  return fails(Call::status) ? -1 : system(file, found);
}

int fstat64(int file, struct stat64* found) noexcept {
  static auto* const system = next<int(int, struct stat64*)>("fstat64");
  return fails(Call::status) ? -1 : system(file, found);
}

int statx(int folder, const char* name, int flags, unsigned mask, struct statx* found) noexcept {
  static auto* const system = next<int(int, const char*, int, unsigned, struct statx*)>("statx");
  return fails(Call::status) ? -1 : system(folder, name, flags, mask, found);
}

int fcntl(int file, int command, ...) {
  static auto* const system = next<int(int, int, ...)>("fcntl");
  va_list list;
  va_start(list, command);
  void* const argument = va_arg(list, void*);
  va_end(list);
  return locks(command) && fails(Call::lock) ? -1 : system(file, command, argument);
}

int fcntl64(int file, int command, ...) {
  static auto* const system = next<int(int, int, ...)>("fcntl64");
  va_list list;
  va_start(list, command);
  void* const argument = va_arg(list, void*);
  va_end(list);
  return locks(command) && fails(Call::lock) ? -1 : system(file, command, argument);
}

/// SQLite waits for a lock for ten seconds in all. None of its calls succeeds meanwhile, so the time does not
/// matter.
int usleep(useconds_t time) {
  static auto* const system = next<int(useconds_t)>("usleep");
  return tally::test::failsFromNowOn(Call::lock) ? 0 : system(time);
}

int flock(int file, int operation) noexcept {
  static auto* const system = next<int(int, int)>("flock");
  return fails(Call::lock) ? -1 : system(file, operation);
}

void* mmap(void* address, std::size_t size, int protection, int flags, int file, off_t at) noexcept {
  static auto* const system = next<void*(void*, std::size_t, int, int, int, off_t)>("mmap");
  return fails(Call::map) ? MAP_FAILED : system(address, size, protection, flags, file, at);
}

void* mmap64(void* address, std::size_t size, int protection, int flags, int file, off64_t at) noexcept {
  static auto* const system = next<void*(void*, std::size_t, int, int, int, off64_t)>("mmap64");
  return fails(Call::map) ? MAP_FAILED : system(address, size, protection, flags, file, at);
}

}  // extern "C"
