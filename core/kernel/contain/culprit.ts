import type { Registry } from '../../plugin.ts'

/**
 * Which plugin an error comes from that no hook caught, as one thrown in a timer: the one whose file is
 * in its stack. (Following each promise and timer back to its hook would tell more, but on Node 20
 * every request of the process then costs more: decision 7.)
 */
export function createCulpritFinder(
  registry: Registry,
  outside: readonly { readonly root: string; readonly feature: string }[] = [],
): (error: unknown) => string | undefined {
  const files = Object.entries(registry).flatMap(([feature, load]) => {
    const [, file] = /([^/'"`]+\.[cm]?[jt]s)['"`]/.exec(load.toString()) ?? []
    return file === undefined ? [] : [{ feature, file }]
  })
  return error => {
    const stack = stackOf(error)
    return (
      outside.find(({ root }) =>
        [`${root}/`, `${root}:`, `${root}?`].some(it => stack.includes(it)),
      )?.feature ?? files.find(({ file }) => stack.includes(`/${file}`))?.feature
    )
  }
}

/** Whether code of this folder had a hand in an error. */
export function isFrom(error: unknown, folder: string): boolean {
  return stackOf(error).includes(folder)
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? '') : ''
}
