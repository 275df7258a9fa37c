import { toInput, toMoment } from '../../shared/fields/moments.ts'

/** A moment as `<input type="datetime-local">` has it, in the time zone of the browser; none is ''. */
export function localOf(iso: string | null): string {
  return iso === null ? '' : toInput(iso)
}

/** The moment that such an input says; what was not changed keeps its seconds. */
export function momentOf(local: string, before: string | null): string | null {
  return local === localOf(before) ? before : toMoment(local)
}
