/** What was begun and has not ended. */
export interface UnderWay {
  /** Gives the very promise. */
  track<T>(work: Promise<T>): Promise<T>
  /** Resolves when nothing is. */
  ended(): Promise<void>
}

export function createUnderWay(): UnderWay {
  const begun = new Set<Promise<unknown>>()
  return {
    track(work) {
      begun.add(work)
      const end = () => void begun.delete(work)
      work.then(end, end)
      return work
    },
    async ended() {
      while (begun.size > 0) await Promise.allSettled([...begun])
    },
  }
}
