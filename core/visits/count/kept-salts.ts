/** Salts by UTC day, in days since 1970, in memory only. */
export interface KeptSalts<S> {
  get(day: number): S | undefined
  /** Keeps a salt until `until` at the latest, in milliseconds since 1970 UTC. */
  set(day: number, salt: S, until: number): void
  days(): readonly number[]
}

/** The salt of today, and that of the day before for visits that arrive late. */
const keptDays = 2

/** How long a salt is kept: its day, the next day for visits that arrive late, and a little for clocks that differ. */
export const saltMs = 50 * 3_600_000

/** Forgets a salt when two of other days came after it, or its time is over. */
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
