/** Salts by UTC day, in days since 1970, in memory alone. */
export interface KeptSalts<S> {
  get(day: number): S | undefined
  /** Until that moment at the latest, in milliseconds since 1970 UTC. */
  set(day: number, salt: S, until: number): void
  days(): readonly number[]
}

/** That of the present day, and that of the day before for visits that come late. */
const keptDays = 2

/** A day, the day after it for visits that come late, and a little for clocks that differ. */
export const saltMs = 50 * 3_600_000

/** A salt is forgotten when two of other days came after it, and when its time is over. */
export function keepSalts<S>(): KeptSalts<S> {
  const salts = new Map<number, S>()

  return {
    get: day => salts.get(day),
    set(day, salt, until) {
      salts.delete(day)
      salts.set(day, salt)
      const oldest = salts.keys().next()
      if (salts.size > keptDays && !oldest.done) salts.delete(oldest.value)
      const forget = () => salts.get(day) === salt && salts.delete(day)
      setTimeout(forget, Math.min(Math.max(until - Date.now(), 0), saltMs)).unref()
    },
    days: () => [...salts.keys()],
  }
}
