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

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : ''
}
