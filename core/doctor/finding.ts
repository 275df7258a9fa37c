/** What was looked at, how it is, and what to do about it. */
export interface Finding {
  /** What it is about, as `disk`. */
  readonly name: string
  readonly status: (typeof statuses)[number]
  /** What was found, as sentences. */
  readonly says: string
  /** What to do; null where nothing has to be done. */
  readonly remedy: string | null
}

/** From well to ill: a warning can wait until tomorrow. */
export const statuses = ['ok', 'warning', 'problem'] as const

export function fine(name: string, says: string): Finding {
  return { name, status: 'ok', says, remedy: null }
}

export function warning(name: string, says: string, remedy: string): Finding {
  return { name, status: 'warning', says, remedy }
}

export function problem(name: string, says: string, remedy: string): Finding {
  return { name, status: 'problem', says, remedy }
}
