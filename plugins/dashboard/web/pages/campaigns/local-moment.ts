import { toInput, toMoment } from '../../shared/fields/moments.ts'

/** A moment as the value of `<input type="datetime-local">`, in the browser's time zone; '' if there is none. */
export function localOf(iso: string | null): string {
  return iso === null ? '' : toInput(iso)
}

/** The moment in such an input. An unchanged value keeps its seconds. */
export function momentOf(local: string, before: string | null): string | null {
  return local === localOf(before) ? before : toMoment(local)
}
