/** The result of one check: what was checked, its status, and what to do about it. */
export interface Finding {
  /** What was checked, such as `disk`. */
  readonly name: string
  /** A warning can wait until tomorrow. */
  readonly status: 'ok' | 'warning' | 'problem'
  /** What was found, as sentences. */
  readonly says: string
  /** What to do; null if there is nothing to do. */
  readonly remedy: string | null
}

export function fine(name: string, says: string): Finding {
  return { name, status: 'ok', says, remedy: null }
}

export function warning(name: string, says: string, remedy: string): Finding {
  return { name, status: 'warning', says, remedy }
}

export function problem(name: string, says: string, remedy: string): Finding {
  return { name, status: 'problem', says, remedy }
}
