import type { Context, MountRequest, Refusal } from '../../../core/plugin.ts'

/** An answer of YOURLS. `simple` is the whole answer in the format of that name, as plain text. */
export interface Said {
  /** HTTP status. */
  readonly status: number
  readonly simple: string
  /** The answer in the other formats. */
  readonly body: Readonly<Record<string, unknown>>
}

/** What an action gets of the context. */
export type Given = Pick<Context, 'links' | 'settings'>

/** Does what the parameter `action` names. */
export type Action = (request: MountRequest, context: Given) => Promise<Said | Refusal>

/** What YOURLS says in the format `simple` of everything that is more than one text. */
export const needsFormat = 'Need either XML or JSON format for stats'
