import { z } from 'zod'
import type { Refusal } from '../plugin/outcomes.ts'
import type { Outdated } from './change-plugins.ts'
import type { PluginIndex } from './plugin-index.ts'
import { readSpec } from './source.ts'

/** A plugin in the folder of plugins. */
export interface Installed {
  readonly name: string
  readonly version: string | null
  /** Why it cannot be loaded; null if it can. */
  readonly problem: string | null
}

/** The folder of plugins, as the API shows and changes it. */
export interface PluginPackages {
  /** Whether the operator lets admins change the folder over the API. */
  readonly isChangeable: boolean
  list(): readonly Installed[]
  /** Nothing changes if `signal` is aborted before the end. */
  add(spec: string, signal: AbortSignal): Promise<{ readonly name: string } | Refusal>
  /** The index of plugins. Undefined: the operator named none. */
  readonly index?: PluginIndex | undefined
  remove(name: string, signal: AbortSignal): Promise<Refusal | undefined>
  /** Packages that the npm registry has newer versions of. */
  findOutdated(): Promise<readonly Outdated[] | Refusal>
}

/** `name[@range]` in the npm registry: no path, no address. */
export const packageSpec = z
  .string()
  .max(300)
  .refine(
    text => readSpec(text) !== undefined,
    'Enter the name of a package, optionally with a version range, such as linnet-plugin-hours@^1.',
  )

/** The name of a package or of a single file. */
export const packageName = z.string().min(1).max(300)
