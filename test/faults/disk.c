/*
 * A disk to fail on: preloaded into a server, it stands between it and the files of one folder.
 *
 *   DISK_FOLDER     the folder
 *   DISK_KEPT       another one, for what a power cut would leave: the bytes that were flushed
 *   DISK_FLUSH_MS   how much longer each flush takes
 *   DISK_FAILS      while this file exists, flushes fail
 *
 * Names are kept at once; real disks need the folder flushed for that, which SQLite does.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef int (*flush_call)(int);

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

/* The path below the folder, or NULL when it is not in there. */
static const char *within(const char *path) {
  const char *folder = getenv("DISK_FOLDER");
  size_t length = folder ? strlen(folder) : 0;
  if (length == 0 || strncmp(path, folder, length) != 0 || path[length] != '/') return NULL;
  return path + length + 1;
}

static int kept_path(const char *name, char *path, size_t size) {
  const char *kept = getenv("DISK_KEPT");
  return kept && snprintf(path, size, "%s/%s", kept, name) < (int)size;
}

/*
 * Copies what a file has to `path`; false where there is nothing to copy. Reads by the very descriptor:
 * closing another one of the same file would drop SQLite's locks.
 */
static int copy_to(const char *path, int file) {
  static char buffer[1 << 20];
  struct stat facts;
  if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode)) return 0;
  int copy = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (copy < 0) abort();
  for (off_t at = 0; at < facts.st_size;) {
    ssize_t got = pread(file, buffer, sizeof buffer, at);
    if (got <= 0) break;
    if (pwrite(copy, buffer, got, at) != got) abort();
    at += got;
  }
  if (ftruncate(copy, facts.st_size) != 0) abort();
  close(copy);
  return 1;
}

static int slowly(flush_call real, int file) {
  const char *more = getenv("DISK_FLUSH_MS"), *fails = getenv("DISK_FAILS");
  if (more) usleep(atoi(more) * 1000);
  if (fails && access(fails, F_OK) == 0) {
    errno = EIO;
    return -1;
  }
  return real(file);
}

/* What is written while a flush is under way is not kept by it. The disk does one flush after another. */
static int flush_and_keep(flush_call real, int file, const char *name) {
  static int (*real_rename)(const char *, const char *);
  char path[4096], unfinished[4096 + 16];
  if (!kept_path(name, path, sizeof path)) return slowly(real, file);
  if (!real_rename) real_rename = dlsym(RTLD_NEXT, "rename");
  snprintf(unfinished, sizeof unfinished, "%s.flushing", path);
  pthread_mutex_lock(&turn);
  int is_copied = copy_to(unfinished, file);
  int result = slowly(real, file);
  if (result == 0 && is_copied) real_rename(unfinished, path);
  pthread_mutex_unlock(&turn);
  return result;
}

static int flush(int file, const char *call) {
  flush_call real = (flush_call)dlsym(RTLD_NEXT, call);
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  path[length < 0 ? 0 : length] = '\0';
  const char *name = within(path);
  if (name == NULL) return real(file);

  return flush_and_keep(real, file, name);
}

int fsync(int file) { return flush(file, "fsync"); }
int fdatasync(int file) { return flush(file, "fdatasync"); }

int rename(const char *from, const char *to) {
  int (*real)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
  char kept_from[4096], kept_to[4096];
  const char *old = within(from), *new = within(to);
  int result = real(from, to);
  if (result == 0 && old && new && kept_path(old, kept_from, sizeof kept_from) &&
      kept_path(new, kept_to, sizeof kept_to))
    real(kept_from, kept_to);
  return result;
}

int unlink(const char *path) {
  int (*real)(const char *) = dlsym(RTLD_NEXT, "unlink");
  char kept[4096];
  const char *name = within(path);
  int result = real(path);
  if (result == 0 && name && kept_path(name, kept, sizeof kept)) real(kept);
  return result;
}
