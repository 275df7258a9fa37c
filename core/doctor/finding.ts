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

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

/** Bytes as people read them, in powers of 1,000: `2.1 MB`. */
export function bytesAsText(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  return `${Number((bytes / 1_000 ** power).toFixed(1))} ${units[power]}`
}
