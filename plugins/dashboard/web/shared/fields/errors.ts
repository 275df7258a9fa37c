import { isSame } from './values.ts'

/** Error messages by the path of the value: `title`, `utm.source`, `dynamic_routing.rules[2].name`. */
export type Errors = Readonly<Record<string, unknown>>

/** The error of the value at a path itself. */
export function errorAt(errors: Errors, path: string): string | undefined {
  const error = errors[path]
  return typeof error === 'string' ? error : undefined
}

/** The errors of a value and of anything in it, for a single input for the whole value. */
export function errorWithin(errors: Errors, path: string): string | undefined {
  const sentences = Object.keys(errors)
    .filter(it => isWithin(it, path))
    .map(it => errorAt(errors, it))
  return sentences.length > 0 ? sentences.join(' ') : undefined
}

/** Whether there is an error at a path or below it. */
export function hasErrors(errors: Errors, path: string): boolean {
  return Object.keys(errors).some(it => isWithin(it, path))
}

/** The errors that remain after a field has changed: those about parts of it that stayed the same. */
export function errorsAfter(errors: Errors, name: string, before: unknown, after: unknown): Errors {
  return Object.fromEntries(
    Object.entries(errors).filter(([path]) => {
      if (!isWithin(path, name)) return true
      const steps = path.slice(name.length).match(/[^.[\]]+/g) ?? []
      return steps.length > 0 && isSame(valueAt(before, steps), valueAt(after, steps))
    }),
  )
}

function isWithin(path: string, name: string): boolean {
  return path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`)
}

function valueAt(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>(
    (here, step) =>
      typeof here === 'object' && here !== null
        ? Object.entries(here).find(([k]) => k === step)?.[1]
        : undefined,
    value,
  )
}
