/** Work that has begun and not ended. */
export interface RunningWork {
  /** Returns the same promise. */
  track<T>(work: Promise<T>): Promise<T>
  /** Resolves when no work is running. */
  ended(): Promise<void>
}

export function trackRunningWork(): RunningWork {
  const running = new Set<Promise<unknown>>()
  return {
    track(work) {
      running.add(work)
      const end = () => void running.delete(work)
      work.then(end, end)
      return work
    },
    async ended() {
      while (running.size > 0) await Promise.allSettled([...running])
    },
  }
}
