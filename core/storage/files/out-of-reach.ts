import { causesOf } from '../../lib/caught.ts'

/**
 * Full or failing disk, lock held by somebody else, read-only file: https://sqlite.org/rescode.html, and the same errors
 * of the system for other files, no descriptor left, or a file that is a mount of its own and so cannot be replaced:
 * https://man7.org/linux/man-pages/man3/errno.3.html
 */
const outOfReach =
  /^(SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN)|EACCES$|ENOSPC$|EDQUOT$|EROFS$|EBUSY$|EIO$|EMFILE$|ENFILE$)/

/** The database server is away at the moment, or does not do what it is asked. */
export class ServerAway extends Error {
  override readonly name = 'ServerAway'
}

/** Whether the data cannot be reached now but may be reachable again later, as when the disk is full. */
export function isOutOfReach(error: unknown): boolean {
  return causesOf(error).some(it => it instanceof ServerAway || outOfReach.test(codeOf(it)))
}

/**
 * A lack of space. Without any for the index of the log, a database fails with IOERR_SHMSIZE; beyond a quota, and without
 * any for what it writes, with IOERR_WRITE.
 */
const fullDisk = /^(SQLITE_(FULL|IOERR_(SHMSIZE|WRITE))$|ENOSPC$|EDQUOT$)/

/** Whether there is no space for what would be written. A lock that another program holds is no lack of space. */
export function isOfFullDisk(error: unknown): boolean {
  return causesOf(error).some(it => fullDisk.test(codeOf(it)))
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : ''
}

/** What our own storage failed with. Files and databases that the code of a plugin opens by itself fail with the same codes. */
const ours = new WeakSet<Error>()

/** Notes that our own storage failed with an error, and returns it. */
export function ofStorage<Thrown>(error: Thrown): Thrown {
  if (error instanceof Error) ours.add(error)
  return error
}

/** Whether our own storage failed with an error, or with what caused it. */
export function isOfStorage(error: unknown): boolean {
  return causesOf(error).some(it => ours.has(it))
}
