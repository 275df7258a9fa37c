/** Full or failing disk, lock held by someone else, read-only file: https://sqlite.org/rescode.html */
const outOfReach = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN)/

/** Whether the database cannot do its work now but may again later, as when the disk is full. */
export function isOutOfReach(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    outOfReach.test(error.code)
  )
}
