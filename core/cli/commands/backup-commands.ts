import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { meant } from '../../lib/text/nearest-name.ts'
import { UserError } from '../../lib/user-error.ts'
import { backUp, backupPath, backupsFolder } from '../../storage/backups/backup.ts'
import {
  type Compared,
  type Difference,
  previewRestore,
  type RestorePreview,
} from '../../storage/backups/preview-restore.ts'
import { finishRestore, restoreDatabase } from '../../storage/backups/restore.ts'
import { umaskFor } from '../../storage/files/close-folder.ts'
import { inspectFile } from '../../storage/files/inspect-file.ts'
import { expectedFile } from '../../storage/open/sqlite.ts'
import { checkAccess } from '../check-access.ts'
import { withLock } from '../data-folder.ts'
import { databaseFile, expectInstance, readEnvironment } from '../find-instance.ts'
import { say, writeJson } from '../output.ts'
import { expectSameDatabase } from '../running-server.ts'
import type { Setting } from '../setting.ts'
import type { ServerSettings } from '../settings-from-env.ts'

/** `linnet backup` */
export function addBackupCommand(program: Command, setting: Setting): void {
  program
    .command('backup')
    .description('Back up the database and settings, also while the server is running.')
    .option('--to <folder>', 'another folder, which must exist')
    .addHelpText(
      'after',
      `
Checks the backup and prints its path. It is a single file with everything that linnet restore needs: the
database, including the content of settings.json.

Examples:
  linnet backup
  linnet backup --to /mnt/elsewhere`,
    )
    .action(({ to }: { to?: string }) => makeBackup(setting, to))
}

async function makeBackup(setting: Setting, to?: string): Promise<void> {
  const file = expectFile(setting)
  // The folder is never created: if its disk is not mounted, the copy would land on the disk of the original.
  if (to !== undefined && !statSync(to, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UserError(`There is no folder ${to}. Create it, or mount its disk.`)
  }
  process.umask(umaskFor(dirname(file)))
  await finishRestore(file)
  inspectFile(file, expectedFile)
  const copy = backupPath(file, 'manual', Date.now(), to && resolve(to))
  await backUp(file, copy)
  say(`${copy}\n`, { path: copy })
}

/** The database file. Throws a `UserError` if there is none. */
function expectFile(setting: Setting): string {
  const server = readEnvironment(setting)
  refuseServer(server)
  expectInstance(setting)
  return databaseFile(server)
}

/** These commands copy files, which is no use for a PostgreSQL database. */
function refuseServer(server: ServerSettings): void {
  expectSameDatabase(server)
  if (server.databaseUrl === undefined) return
  throw new UserError(
    'DATABASE_URL is set: back up PostgreSQL with its own tools, such as pg_dump --format=custom and pg_restore, ' +
      'and copy plugins/ of the data folder too. See docs/scaling.md.',
  )
}

interface RestoreOptions {
  readonly dryRun?: true
  readonly json?: true
  readonly yes?: true
}

/** `linnet restore` */
export function addRestoreCommand(program: Command, setting: Setting): void {
  program
    .command('restore <backup>')
    .description('Restore database and settings from a backup, while no server is running.')
    .option('--dry-run', 'only say what would change, also while the server is running')
    .option('--json', 'as JSON')
    .option('--yes', 'restore without asking first')
    .addHelpText(
      'after',
      `
The backup is checked first, and the current data is kept in the folder backups. On a terminal, it says what
would change and asks.

Examples:
  linnet restore --dry-run nightly-20261120T031500Z.db
  linnet restore nightly-20261120T031500Z.db          from the folder backups
  linnet restore /mnt/elsewhere/linnet.db`,
    )
    .action(async (copy: string, options: RestoreOptions) => {
      const server = readEnvironment(setting)
      refuseServer(server)
      const { dataDir } = server
      const file = databaseFile(server)
      // Before the lock, which creates the folder: a mistyped folder must not be created.
      if (existsSync(dataDir)) checkAccess(dataDir)
      const from = findCopy(copy, file)
      if (options.dryRun && options.json) {
        return writeJson(previewRestore(from, file, expectedFile))
      }
      if (options.dryRun) return sayWhatChanges(from, file)
      const asks = process.stdin.isTTY && process.stdout.isTTY && !options.yes && !options.json
      await withLock(setting, async () => {
        if (asks) sayWhatChanges(from, file)
        if (!asks || (await isWanted())) await restore(from, file)
      })
    })
}

/** The path of the named backup. Throws a `UserError` if there is none. */
function findCopy(copy: string, file: string): string {
  const places = [resolve(copy), join(backupsFolder(file), copy)]
  // Throws for what this user may not see: root's own folder is closed to the owner of the data folder.
  const from = places.find(place => statSync(place, { throwIfNoEntry: false }))
  if (from === undefined) {
    const folder = backupsFolder(file)
    throw new UserError(
      `There is no backup ${copy}, here or in ${folder}. ${meantIn(folder, copy)}`,
    )
  }
  if (from === file) throw new UserError(`${from} is the database itself. Name a backup.`)
  // Reading a pipe would wait forever.
  if (!statSync(from).isFile()) throw new UserError(`${from} is not a file. Name a backup.`)
  return from
}

/** Suggests the backup in a folder that was probably meant, or else the newest. */
function meantIn(folder: string, name: string): string {
  const names = existsSync(folder) ? readdirSync(folder).filter(it => it.endsWith('.db')) : []
  const writtenAt = (it: string) => statSync(join(folder, it)).mtimeMs
  const [newest] = names.sort((a, b) => writtenAt(b) - writtenAt(a))
  if (newest === undefined) return 'That folder has none: name a file with its path.'
  return meant(name, names, `The newest there is ${newest}.`)
}

function sayWhatChanges(from: string, file: string): void {
  const preview = previewRestore(from, file, expectedFile)
  process.stdout.write(`${describePreview(preview).join('\n')}\n`)
}

async function isWanted(): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  try {
    if (/^y(es)?$/i.test((await lines.question('Restore this backup? [y/N] ')).trim())) return true
  } finally {
    lines.close()
  }
  process.stdout.write('Nothing was changed.\n')
  return false
}

async function restore(from: string, file: string): Promise<void> {
  const { kept, hadSettings } = await restoreDatabase(from, file, {
    ...expectedFile,
    now: Date.now(),
  })
  const ofSettings = hadSettings
    ? 'The settings of the backup are restored too: brand, plans, plugins and switches.'
    : 'The backup contains no settings, so settings.json is unchanged.'
  const ofKept = kept === undefined ? '' : `The previous data is kept as ${kept}\n`
  say(`${from} is now the database.\n${ofSettings}\n${ofKept}`, {
    ...{ restored: from, hadSettings },
    kept: kept ?? null,
  })
}

/** What a restore would change, as lines for people. */
function describePreview(preview: RestorePreview): readonly string[] {
  const { schema, accounts, links, visits, settings } = preview
  if (schema.now === null) {
    return [
      'There is no current database that can be read.',
      `The backup has ${numbered(accounts.backup, 'account')}, ${numbered(links.backup, 'link')} and ${numbered(visits.backup, 'visit')}.`,
    ]
  }
  const changes = [
    ...changesOf(accounts, 'account'),
    ...changesOf(links, 'link'),
    ...changesOfSettings(settings),
    ...(schema.backup < schema.now
      ? [`The backup has schema ${schema.backup}. The next start updates it to ${schema.now}.`]
      : []),
  ]
  return [
    ...table([
      ['', 'Backup', 'Now'],
      row('Accounts', accounts),
      row('Links', links),
      row('Visits', visits),
    ]),
    '',
    ...(changes.length > 0 ? changes : ['Accounts, links and settings are the same.']),
  ]
}

function changesOf({ lost, returned, reverted }: Difference, what: string): readonly string[] {
  return [
    lost > 0 && `${numbered(lost, what)} created since the backup would be deleted.`,
    returned > 0 && `${numbered(returned, what)} deleted since would be restored.`,
    reverted > 0 && `${numbered(reverted, what)} changed since would be changed back.`,
  ].filter(line => line !== false)
}

function changesOfSettings(settings: RestorePreview['settings']): readonly string[] {
  if (settings === null) return ['The backup has no settings, so settings.json stays unchanged.']
  if (settings.length === 0) return []
  return [`These settings would be changed back: ${settings.join(', ')}.`]
}

function row(name: string, { backup, now }: Compared): readonly string[] {
  return [name, format(backup), now === null ? '' : format(now)]
}

/** Formats rows with right-aligned numbers. */
function table(rows: readonly (readonly string[])[]): readonly string[] {
  return rows.map(([name = '', ...values]) =>
    [name.padEnd(8), ...values.map(value => value.padStart(12))].join(' ').trimEnd(),
  )
}

function numbered(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${format(count)} ${what}s`
}

function format(count: number): string {
  return count.toLocaleString('en-US')
}
