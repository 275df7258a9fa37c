import { join } from 'node:path'
import type { PluginChoice } from '../kernel/load/plugin-choice.ts'
import type { Env } from '../lib/variable-text.ts'
import type { Registry } from '../plugin.ts'
import type { Contract, Features } from '../settings/contract.ts'
import type { AnyPlans } from '../settings/plan.ts'
import type { PlaceSource } from '../visits/facts/place-files.ts'
import type { ServerSettings, ServerTable } from './settings-from-env.ts'

/** The configuration of the program. */
export interface Setting {
  readonly env: Env
  /** The variables in it that the server that runs on the data folder was given, and not the command. */
  readonly fromServer?: readonly string[]
  readonly table: ServerTable
  readonly registry: Registry
  readonly contract: Contract
  readonly plans: AnyPlans
  readonly features: Features
  /** The features that are on unless the operator says otherwise. */
  readonly plugins: readonly string[]
  /** The entry point of this program, to run one of its commands in another process. */
  readonly programUrl: URL
  /** The entry point of the recorder's thread. */
  readonly recorderUrl: URL
  /** The entry point of the thread that copies the database. */
  readonly backupUrl: URL
  readonly version: string
}

/** Which plugins are on: exactly those that `PLUGINS` names, or else what the configuration and admins say. */
export function choiceOf(
  { plugins }: Pick<Setting, 'plugins'>,
  server: Pick<ServerSettings, 'plugins'>,
): PluginChoice {
  return { fixed: server.plugins === 'all' ? undefined : server.plugins, usual: plugins }
}

/** The folder for files that plugins keep. */
export function filesFolderOf({ dataDir }: Pick<ServerSettings, 'dataDir'>): string {
  return join(dataDir, 'plugin-files')
}

/** The location files: those of the operator, and newer ones in the data folder. */
export function placeSourceOf({
  geoipFiles,
  dataDir,
}: Pick<ServerSettings, 'geoipFiles' | 'dataDir'>): PlaceSource {
  return { own: geoipFiles ?? [], folder: join(dataDir, 'geoip') }
}
