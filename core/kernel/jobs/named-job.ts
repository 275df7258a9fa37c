import type { Later } from '../../plugin.ts'

/** Work on a schedule in UTC: `{ name: 'usage.close', every: '5 0 * * *', run }`. */
export interface NamedJob {
  readonly name: string
  /** Its name for people. */
  readonly label: string
  readonly every: string
  /** True: every server runs it, because it works on something that each machine has for itself. */
  readonly everywhere?: boolean | undefined
  run(): Later<void>
}
