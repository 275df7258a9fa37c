import type { Registry } from '../plugin.ts'
import type { Contract } from '../settings/contract.ts'
import type { Features } from '../settings/features.ts'
import type { AnyPlans } from '../settings/plan.ts'
import type { ServerTable } from './settings-from-env.ts'
import type { Env } from './variable-text.ts'

/** What the program is configured with, and where it speaks. */
export interface Setting {
  readonly env: Env
  readonly table: ServerTable
  readonly registry: Registry
  readonly contract: Contract
  readonly plans: AnyPlans
  readonly features: Features
  /** The features that are on unless the operator says otherwise. */
  readonly plugins: readonly string[]
  /** Where this program begins, to run a command of it in a process of its own. */
  readonly programUrl: URL
  /** Where the recorder's thread begins. */
  readonly recorderUrl: URL
  /** Where the thread that copies the database begins. */
  readonly backupUrl: URL
  readonly version: string
}
