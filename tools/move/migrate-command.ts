import { cpSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Command } from 'commander'
import { checkAccess } from '../../core/cli/check-access.ts'
import { withLock } from '../../core/cli/data-folder.ts'
import {
  addressOf,
  databaseFile,
  expectInstance,
  readEnvironment,
} from '../../core/cli/find-instance.ts'
import { say, showProgress } from '../../core/cli/output.ts'
import { pluginsFolder, survivePlugins, withOutside } from '../../core/cli/plugins/with-outside.ts'
import type { Setting } from '../../core/cli/setting.ts'
import type { ServerSettings } from '../../core/cli/settings-from-env.ts'
import { readSettings, settingsIn } from '../../core/cli/stored-settings.ts'
import { loadPlugin } from '../../core/kernel/load/load-plugins.ts'
import { repeatMigrations } from '../../core/kernel/run/plugin-migrations.ts'
import { counted } from '../../core/lib/text/shown.ts'
import { UserError } from '../../core/lib/user-error.ts'
import type { Plugin } from '../../core/plugin.ts'
import { readSettingsFile } from '../../core/settings/settings-file.ts'
import {
  prepareSettings,
  replaceSettings,
  settingsBeside,
} from '../../core/storage/backups/settings-beside.ts'
import type { Address, Database } from '../../core/storage/database.ts'
import { umaskFor } from '../../core/storage/files/close-folder.ts'
import { UnusableDatabase } from '../../core/storage/files/inspect-file.ts'
import { type FolderLock, lockFolder } from '../../core/storage/files/lock.ts'
import { isOutOfReach } from '../../core/storage/files/out-of-reach.ts'
import { readMeta, settingsKey } from '../../core/storage/meta.ts'
import { type MoveOptions, moveDatabase } from './move-database.ts'

/** `linnet migrate-to` */
export function addMigrateCommand(program: Command, setting: Setting): void {
  program
    .command('migrate-to <target>')
    .description('Move everything from SQLite to PostgreSQL, or back, while no server is running.')
    .addHelpText(
      'after',
      `
The target is the address of an empty PostgreSQL database, or, where DATABASE_URL is set, a data folder without a
database. What is moved from stays as it is. Every row is compared. If it is broken off, run it again: it goes on.

PGPASSWORD in the environment keeps the password out of the command line.

Examples:
  linnet migrate-to postgres://linnet@db.example.org/linnet
  DATABASE_URL=postgres://… linnet migrate-to /var/lib/linnet`,
    )
    .hook('preAction', () => survivePlugins(setting))
    .action((target: string) => migrate(setting, target))
}

async function migrate(setting: Setting, text: string): Promise<void> {
  const server = readEnvironment(setting)
  const to = parseTarget(text, setting, server)
  expectInstance(setting)
  if ('url' in to) return withLock(setting, () => moveTo(to, setting, server))
  const moveBack = (locked?: string) => moveToFolder(resolve(text), setting, server, locked)
  // Where there is no folder, there is nothing that another server could be using.
  if (!existsSync(server.dataDir)) return moveBack()
  return withLock(setting, () => moveBack(resolve(server.dataDir)))
}

/** The address of the target. Throws a `UserError` if the data cannot be moved there. */
function parseTarget(text: string, { table }: Setting, server: ServerSettings): Address {
  const isOnServer = server.databaseUrl !== undefined
  if (text.trim() === '') throw new UserError('The target is empty. Name a database or a folder.')
  if (!/^[a-z][a-z\d+.-]*:/i.test(text)) {
    if (isOnServer && statSync(text, { throwIfNoEntry: false })?.isFile()) {
      throw new UserError(`${text} is a file. Name the data folder that is to have linnet.db.`)
    }
    if (isOnServer) return { file: databaseFile({ dataDir: resolve(text) }) }
    throw new UserError(
      'The database is in SQLite already. Set DATABASE_URL to the one to move from, or name a target such as postgres://linnet@db.example.org/linnet.',
    )
  }
  const { data: url, error } = table.databaseUrl.schema.safeParse(text)
  if (isOnServer && !/^postgres(ql)?:/i.test(text)) {
    throw new UserError(
      `${text} is no folder, and the database of DATABASE_URL can only be moved into one. Name it without a scheme, such as /var/lib/linnet.`,
    )
  }
  if (url === undefined) {
    const remedy = error?.issues[0]?.message.replace(/, or unset.*/, '.')
    throw new UserError(`The target is not the address of a PostgreSQL database. ${remedy}`)
  }
  if (!isOnServer) return { url }
  throw new UserError(
    'DATABASE_URL is set, so the database is on a server already. Unset it to move the one of the data folder; ' +
      'from one server to another, pg_dump and pg_restore move it.',
  )
}

async function moveTo(to: Address, setting: Setting, server: ServerSettings): Promise<void> {
  const { sentence, value } = await move(to, setting, server)
  say(
    `${sentence}Set DATABASE_URL to that address and start Linnet. ` +
      `settings.json, plugins and location data stay in ${server.dataDir}.\n` +
      `${databaseFile(server)} is unchanged. Keep it until everything works, then remove it.\n`,
    value,
  )
}

async function moveToFolder(
  folder: string,
  setting: Setting,
  server: ServerSettings,
  locked: string | undefined,
): Promise<void> {
  const isOther = folder !== resolve(server.dataDir)
  let lock: FolderLock | undefined
  const makeReady = () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    checkAccess(folder)
    process.umask(umaskFor(folder))
    if (folder !== locked) lock = lockFolder(join(folder, 'linnet.lock'))
    if (isOther) copyBeside(server.dataDir, folder)
  }
  let moved: Awaited<ReturnType<typeof move>>
  try {
    moved = await move({ file: databaseFile({ dataDir: folder }) }, setting, server, makeReady)
  } finally {
    lock?.release()
  }
  const named = isOther ? `, set LINNET_DATA_DIR to ${folder},` : ''
  say(
    `${moved.sentence}Unset DATABASE_URL${named} and start Linnet. The database on the server is unchanged.\n`,
    moved.value,
  )
}

/** Copies what an instance has besides its database. Each copy is complete or does not exist. */
function copyBeside(from: string, to: string): void {
  for (const name of ['settings.json', 'plugins', 'geoip']) {
    if (!existsSync(join(from, name)) || existsSync(join(to, name))) continue
    const unfinished = join(to, `${name}.moving`)
    rmSync(unfinished, { recursive: true, force: true })
    cpSync(join(from, name), unfinished, { recursive: true, verbatimSymlinks: true })
    renameSync(unfinished, join(to, name))
  }
}

async function move(
  to: Address,
  setting: Setting,
  server: ServerSettings,
  makeReady?: () => void,
): Promise<{ readonly sentence: string; readonly value: object }> {
  const progress = showProgress(process.stderr)
  const options: MoveOptions = {
    from: addressOf(server),
    to,
    ...(makeReady && { makeReady }),
    makePluginTables: async (to, from) =>
      repeatMigrations(from, to, await finderOf(setting, server)),
    onCopied: from => ('file' in to ? writeSettings(from, to.file) : Promise.resolve()),
    hasFiles: async from => !('file' in to) || (await hasSettings(from, to.file)),
    onStep: ({ doing, table, done, all }) =>
      progress.show(Math.min(1, done / Math.max(1, all)), `${doing} ${table}`),
  }
  try {
    const { counts, wasThere } = await moveDatabase(options)
    progress.end()
    const rows = [...counts.values()].reduce((sum, count) => sum + count, 0)
    const all = `${counted(rows, 'row')} of ${counted(counts.size, 'table')}`
    return {
      sentence: wasThere
        ? `Everything is there already: ${all} compared.\n`
        : `${all} moved and compared.\n`,
      value: { rows, tables: counts.size, wasThere },
    }
  } catch (error) {
    progress.end()
    if (isOutOfReach(error)) {
      throw new UserError(
        `The move was interrupted: ${(error as Error).message}. Check the disks and the connection, then run the command again: it continues.`,
      )
    }
    // The messages about databases that cannot be opened name the environment variable.
    if ('file' in to || !(error instanceof UnusableDatabase)) throw error
    throw new UnusableDatabase(error.message.replaceAll('DATABASE_URL', 'the address'), {
      cause: error,
    })
  }
}

/** Writes the settings that were in the database to the file next to the new one. */
async function writeSettings(from: Database, file: string): Promise<void> {
  const settings = await readMeta(from, settingsKey)
  if (settings === undefined) return
  await prepareSettings(file, settings)
  await replaceSettings(file)
}

/** Whether the settings in the database, if there are any, are those in the file next to the new one. */
async function hasSettings(from: Database, file: string): Promise<boolean> {
  const settings = await settingsIn(from)
  const beside = await readSettingsFile(settingsBeside(file))
  return settings === undefined || isDeepStrictEqual(settings, beside)
}

/** Finds plugins that come with Linnet or are installed, whether they are on or off. */
async function finderOf(
  ours: Setting,
  server: ServerSettings,
): Promise<(feature: string) => Promise<Plugin>> {
  const stored = (await readSettings(server)).plugins
  const { registry } = await withOutside(ours, { ...server, plugins: 'all' }, stored)
  return async feature => {
    const load = registry[feature]
    const { plugin, mistakes } = load
      ? await loadPlugin(feature, load)
      : { mistakes: [`${feature} has tables and is not installed in ${pluginsFolder(server)}.`] }
    if (plugin) return plugin
    throw new UserError(
      `${mistakes.join(' ')} Install it there, set LINNET_DATA_DIR if your server uses another folder, or delete what it left: linnet plugins purge ${feature}`,
    )
  }
}
