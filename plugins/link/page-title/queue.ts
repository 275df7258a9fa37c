/**
 * Runs one task after another, and drops new ones while too many are waiting. DNS lookups use the threads that also
 * hash passwords, and an import of thousands of links must not occupy them all.
 */
export function createQueue(maxWaiting: number): (work: () => Promise<void>) => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  let waiting = 0
  return work => {
    if (waiting >= maxWaiting) return last
    waiting += 1
    last = last.then(work).finally(() => {
      waiting -= 1
    })
    return last
  }
}
