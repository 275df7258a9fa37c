const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

/** Bytes as people read them, in powers of 1,000: `2.1 MB`. */
export function bytesAsText(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  return `${Number((bytes / 1_000 ** power).toFixed(1))} ${units[power]}`
}
