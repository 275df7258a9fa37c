import { caught } from '../../lib/caught.ts'
import type { Registry } from '../../plugin.ts'

interface Place {
  readonly root: string
  readonly feature: string
}

/**
 * Finds the plugin behind an error that no hook caught, such as one thrown in a timer: the plugin whose file is in the
 * stack. (Tracing each promise and timer back to its hook would find more, but on Node 20 it makes every request of
 * the process slower: decision 7.)
 */
export function createFindBlamedPlugin(
  registry: Registry,
  outside: readonly Place[] = [],
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

/** The plugins from outside since the start, with those that were removed or switched off: what they left running may go on. */
export interface OutsideSoFar {
  add(plugins: readonly (Place & { readonly isAsleep: boolean })[]): void
  /** One for each place, the last that was found there. */
  found(): readonly Place[]
  /** The features of those whose code was run. */
  imported(): readonly string[]
}

export function createOutsideSoFar(): OutsideSoFar {
  const found = new Map<string, Place>()
  const imported = new Set<string>()
  return {
    add(plugins) {
      for (const it of plugins) {
        found.set(it.root, it)
        if (!it.isAsleep) imported.add(it.feature)
      }
    },
    found: () => [...found.values()],
    imported: () => [...imported],
  }
}
