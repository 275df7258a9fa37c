/** A moment as `<input type="datetime-local">` has it, in the time zone of the browser; none is ''. */
export function localOf(iso: string | null): string {
  if (iso === null) return ''
  const at = new Date(iso)
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

/** The moment that such an input says; what was not changed keeps its seconds. */
export function momentOf(local: string, before: string | null): string | null {
  if (local === '') return null
  return local === localOf(before) ? before : new Date(local).toISOString()
}
