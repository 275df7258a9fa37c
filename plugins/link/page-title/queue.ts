type Work = () => Promise<void>

/**
 * Runs one task after another, the accounts taking turns, so that nobody waits for all tasks of somebody else. While
 * `maxWaiting` are waiting, the account with the most of them loses its newest one. DNS lookups use the threads that
 * also hash passwords, and an import of thousands of links must not occupy them all.
 */
export function createQueue(maxWaiting: number): (accountId: number, work: Work) => void {
  /** By account, the one whose turn is next first. */
  const lanes = new Map<number, Work[]>()
  let waiting = 0
  let isRunning = false

  function dropOne(): void {
    const [longest] = [...lanes].sort(([, a], [, b]) => b.length - a.length)
    longest?.[1].pop()
    waiting -= 1
  }

  async function runAll(): Promise<void> {
    isRunning = true
    for (const [accountId, lane] of lanes) {
      lanes.delete(accountId)
      const work = lane.shift()
      // A map visits what is added while it is walked through: the account is behind all others now.
      if (lane.length > 0) lanes.set(accountId, lane)
      if (work === undefined) continue
      waiting -= 1
      await work()
    }
    isRunning = false
  }

  return (accountId, work) => {
    const lane = lanes.get(accountId) ?? []
    lane.push(work)
    lanes.set(accountId, lane)
    waiting += 1
    if (waiting > maxWaiting) dropOne()
    if (!isRunning) void runAll()
  }
}
