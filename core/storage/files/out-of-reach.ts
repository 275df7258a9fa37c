/**
 * Full or failing disk, lock held by someone else, read-only file: https://sqlite.org/rescode.html, and what
 * the system says of the same for other files: https://man7.org/linux/man-pages/man3/errno.3.html
 */
const outOfReach =
  /^(SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN)|ENOSPC$|EDQUOT$|EROFS$|EIO$)/

/** The server that has the database is not there at the moment, or does not do what it is asked. */
export class ServerAway extends Error {
  override readonly name = 'ServerAway'
}

/** Whether what is stored cannot be reached now but may be again later, as when the disk is full. */
export function isOutOfReach(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof ServerAway) return true
  return outOfReach.test(codeOf(error)) || isOutOfReach(error.cause)
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : ''
}
