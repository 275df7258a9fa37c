import { existsSync, statSync } from 'node:fs'
import type { Command } from 'commander'
import { loadAvailable } from '../../app/switching/prepare-set.ts'
import { examine, type Patient } from '../../doctor/examine.ts'
import { type Finding, fine, problem, warning } from '../../doctor/finding.ts'
import { readPluginSettings } from '../../kernel/run/plugin-settings.ts'
import { mistakesInSettings } from '../../kernel/run/start-plugins.ts'
import { isEverything } from '../../lib/net/own-network.ts'
import { isLoopback } from '../../lib/net/web-address.ts'
import { counted } from '../../lib/text/shown.ts'
import { UserError } from '../../lib/user-error.ts'
import type { Plugin } from '../../plugin.ts'
import { hasDatabase } from '../../storage/backups/restore.ts'
import { inspectFile } from '../../storage/files/inspect-file.ts'
import { integrityOf } from '../../storage/files/integrity.ts'
import { inspectServer, joinDatabase } from '../../storage/open/open-database.ts'
import { expectedFile, expectNoMove } from '../../storage/open/sqlite.ts'
import { checkMmdb } from '../../visits/facts/check-mmdb.ts'
import { openPlaces } from '../../visits/facts/open-places.ts'
import { factsRead } from '../../visits/facts/place-files.ts'
import { askServer } from '../ask-server.ts'
import { checkAccess } from '../check-access.ts'
import { allMistakes, unknownVariables } from '../expect-environment.ts'
import { databaseFile } from '../find-instance.ts'
import { writeJson } from '../output.ts'
import { availablePlugins, survivePlugins, withOutside } from '../plugins/with-outside.ts'
import { expectSameDatabase } from '../running-server.ts'
import { placeSourceOf, type Setting } from '../setting.ts'
import { readServerSettings, type ServerSettings } from '../settings-from-env.ts'
import { readSettings } from '../stored-settings.ts'

/** The advice for errors whose messages already say what to do. */
const again = 'Follow that advice, then run linnet doctor again.'

/** `linnet doctor` */
export function addDoctorCommand(program: Command, setting: Setting): void {
  program
    .command('doctor')
    .description('Check this instance and its environment for problems, and say what to do.')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      `
It changes nothing, and works whether the server is running or not. It reads the whole database and the location
data, which takes a few seconds per gigabyte. If the server is running, it calls LINNET_BASE_URL, through the
proxy if there is one, with an API token that it creates for this and revokes at once. Exits with 1 if there is a
problem, and with 0 if there are only warnings.

Examples:
  linnet doctor
  docker compose exec linnet linnet doctor`,
    )
    .hook('preAction', () => survivePlugins(setting))
    .action(({ json = false }: { readonly json?: boolean }) => seeDoctor(setting, json))
}

async function seeDoctor(setting: Setting, asJson: boolean): Promise<void> {
  const findings: Finding[] = []
  const tell = (found: readonly Finding[]) => {
    if (!asJson) for (const finding of found) process.stdout.write(`${asText(finding)}\n`)
    findings.push(...found)
  }
  const read = readServerSettings(setting.env, setting.table)
  if ('mistakes' in read) {
    tell(
      (await allMistakes(read, setting)).map(it =>
        problem('settings', it, 'Correct it, then run linnet doctor again.'),
      ),
    )
  } else {
    const { settings: server } = read
    const outOfReach = examineAccess(server.dataDir) ?? examineSameDatabase(server)
    if (outOfReach) tell([outOfReach])
    else {
      const { plugins, found, unknown } = await examinePlugins(setting, server)
      tell(examineSettings(unknown))
      tell(examineBaseUrl(server))
      tell(examineOwnNetwork(server))
      tell(found)
      tell(await examineInstance(server, plugins))
      tell(await askServer(server))
    }
  }
  if (asJson) writeJson(findings)
  const problems = findings.filter(({ status }) => status === 'problem').length
  if (problems > 0) throw new UserError(`${counted(problems, 'problem')} to solve.`)
}

/** Finds out what keeps this process from using the data folder. Without the folder, nothing else can be checked. */
function examineAccess(dataDir: string): Finding | undefined {
  try {
    if (statSync(dataDir, { throwIfNoEntry: false })) checkAccess(dataDir)
    return undefined
  } catch (error) {
    return problem('permissions', (error as Error).message, again)
  }
}

/** With another database than that of the server that runs, nothing else that is found would be about that. */
function examineSameDatabase(server: ServerSettings): Finding | undefined {
  try {
    expectSameDatabase(server)
    return undefined
  } catch (error) {
    return problem('database', (error as Error).message, again)
  }
}

function asText({ name, status, says, remedy }: Finding): string {
  const line = `${status.padEnd(7)}  ${name.padEnd(11)}  ${says}`
  return remedy === null ? line : `${line}\n${' '.repeat(22)}-> ${remedy}`
}

function examineSettings(unknown: readonly string[]): readonly Finding[] {
  if (unknown.length === 0) return [fine('settings', 'All environment variables are valid.')]
  return unknown.map(it => warning('settings', it, 'Correct its name, or unset it.'))
}

/** A server that listens to other machines, and whose short URLs none of them can open. */
function examineBaseUrl({ baseUrl, host }: ServerSettings): readonly Finding[] {
  if (!isLoopback(new URL(baseUrl).hostname) || isLoopback(host)) return []
  const says = `Short URLs begin with ${baseUrl} and work on this machine only.`
  return [warning('base URL', says, 'Set LINNET_BASE_URL to the address that visitors use.')]
}

function examineOwnNetwork({ ownNetwork }: ServerSettings): readonly Finding[] {
  if (!isEverything(ownNetwork)) return []
  const says =
    'LINNET_FETCH_ALLOW lets plugins connect to this machine and to all private networks around it.'
  return [warning('network', says, 'Name only what they need, such as 192.168.1.0/24,n8n.lan.')]
}

/** The plugins that would run, and what keeps others from running. */
async function examinePlugins(
  ours: Setting,
  server: ServerSettings,
): Promise<{
  readonly plugins: readonly Plugin[]
  readonly found: readonly Finding[]
  /** Warnings about environment variables that belong to no setting and no plugin. */
  readonly unknown: readonly string[]
}> {
  try {
    const stored = (await readSettings(server)).plugins
    const setting = await withOutside(ours, server, stored)
    const available = availablePlugins(setting, server)
    const { plugins, mistakes, leftOut } = await loadAvailable(available, stored ?? {})
    const broken = Object.entries(leftOut).map(([name, why]) => `${name} does not run: ${why}.`)
    const settings = stored?.settings ?? {}
    const leftovers = plugins.flatMap(it =>
      readPluginSettings(it, settings, ours.env).leftovers.map(
        name => `${it.feature} has no setting ${name}: what is stored for it has no effect.`,
      ),
    )
    const found = [
      ...[...mistakes, ...mistakesInSettings(plugins, settings, ours.env)].map(it =>
        problem(
          'plugins',
          it,
          'Correct it. The server does not start, or leaves out a plugin that is not ours.',
        ),
      ),
      ...broken.map(it =>
        warning('plugins', it, 'Update it, install it, or remove it: linnet plugins'),
      ),
      ...leftovers.map(it => warning('plugins', it, 'Correct its name, or remove it.')),
    ]
    const isWell = fine('plugins', `${plugins.length} plugins are on and compatible.`)
    const unknown = await unknownVariables(setting, plugins)
    return { plugins, found: found.length > 0 ? found : [isWell], unknown }
  } catch (error) {
    const remedy = 'Correct it. A running server keeps using what it read before.'
    const found = [problem('plugins', (error as Error).message, remedy)]
    return { plugins: [], found, unknown: await unknownVariables(ours, []) }
  }
}

async function examineInstance(
  server: ServerSettings,
  plugins: readonly Plugin[],
): Promise<readonly Finding[]> {
  const { dataDir, backupsKept, databaseUrl } = server
  const file = databaseFile(server)
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const places = openPlaces(silent, factsRead(plugins), placeSourceOf(server))
  const features = plugins.map(({ feature }) => feature)
  const patient = {
    places,
    features,
    backupsKept,
    now: new Date(),
    isWhole: integrityOf,
    readPlaces: checkMmdb,
  }
  if (databaseUrl !== undefined) return examineOnServer(databaseUrl, patient)
  try {
    if (!existsSync(dataDir) || !hasDatabase(file)) {
      expectNoMove(file)
      const around = await examine({ ...patient, file: undefined })
      return [
        fine('database', `There is none in ${dataDir} yet; the first start creates it.`),
        ...around,
      ]
    }
    inspectFile(file, expectedFile)
  } catch (error) {
    return [problem('database', (error as Error).message, again)]
  }
  return examine({ ...patient, file })
}

async function examineOnServer(
  url: string,
  patient: Omit<Patient, 'file'>,
): Promise<readonly Finding[]> {
  const around = { ...patient, file: undefined }
  try {
    await inspectServer(url)
  } catch (error) {
    return [problem('database', (error as Error).message, again), ...(await examine(around))]
  }
  const { db, close } = await joinDatabase({ url })
  try {
    return await examine({ ...around, onServer: db })
  } finally {
    await close()
  }
}
