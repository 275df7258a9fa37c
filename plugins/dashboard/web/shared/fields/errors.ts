import { isSame } from './values.ts'

/** What is wrong, by the path of the value: `title`, `utm.source`, `dynamic_routing.rules[2].name`. */
export type Errors = Readonly<Record<string, unknown>>

/** What is wrong with the value at a path itself. */
export function errorAt(errors: Errors, path: string): string | undefined {
  const error = errors[path]
  return typeof error === 'string' ? error : undefined
}

/** What is wrong with a value or anything in it, for an input that is one for the whole. */
export function errorWithin(errors: Errors, path: string): string | undefined {
  const sentences = Object.keys(errors)
    .filter(it => isWithin(it, path))
    .map(it => errorAt(errors, it))
  return sentences.length > 0 ? sentences.join(' ') : undefined
}

/** Whether anything is wrong at a path or below it. */
export function hasErrors(errors: Errors, path: string): boolean {
  return Object.keys(errors).some(it => isWithin(it, path))
}

/** The errors that are left once a field has changed: what they were about is as it was. */
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
