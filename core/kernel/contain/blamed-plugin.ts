import { caught } from '../../lib/caught.ts'
import type { Registry } from '../../plugin.ts'

/**
 * Finds the plugin behind an error that no hook caught, such as one thrown in a timer: the plugin whose file is in the
 * stack. (Tracing each promise and timer back to its hook would find more, but on Node 20 it makes every request of
 * the process slower: decision 7.)
 */
export function createFindBlamedPlugin(
  registry: Registry,
  outside: readonly { readonly root: string; readonly feature: string }[] = [],
): (error: unknown) => string | undefined {
  const files = Object.entries(registry).flatMap(([feature, load]) => {
    const [, file] = /([^/'"`]+\.[cm]?[jt]s)['"`]/.exec(load.toString()) ?? []
    return file === undefined ? [] : [{ feature, file }]
  })
  return error => {
    const { stack = '' } = caught(error)
    return (
      outside.find(({ root }) =>
        [`${root}/`, `${root}:`, `${root}?`].some(it => stack.includes(it)),
      )?.feature ?? files.find(({ file }) => stack.includes(`/${file}`))?.feature
    )
  }
}

/** Whether code in this folder is in the stack of an error. */
export function isFrom(error: unknown, folder: string): boolean {
  return caught(error).stack?.includes(folder) === true
}
