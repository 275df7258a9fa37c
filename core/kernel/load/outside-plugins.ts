import type { Plugin } from '../../plugin.ts'

/** A plugin from outside. */
export interface OutsidePlugin {
  /** The name of the package, or of the file. */
  readonly name: string
  /** The version of the package. */
  readonly version: string | null
  readonly root: string
  /** The URL that is imported, with the version in it. */
  readonly url: string
  readonly feature: string
  /** The description in its package. */
  readonly description: string | null
  /** Whether it is off, and so was not imported. */
  readonly isAsleep: boolean
  /** Import it, unless that is done already. Throws what is wrong with it. */
  read(): Promise<Plugin>
}

/** A plugin that cannot be loaded; not even its feature is known. */
export interface BrokenPlugin {
  readonly name: string
  readonly version: string | null
  /** Ends the sentence "It is left out: …". */
  readonly problem: string
  /** Where its code failed. */
  readonly stack?: string
  /** The plugin that provides the same feature and was found first. */
  readonly rival?: { readonly name: string; readonly feature: string }
}

/** The plugins in the folder of plugins. */
export interface Outside {
  readonly plugins: readonly OutsidePlugin[]
  readonly broken: readonly BrokenPlugin[]
}

export const nothingOutside: Outside = { plugins: [], broken: [] }
