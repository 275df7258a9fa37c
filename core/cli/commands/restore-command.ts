import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { backupsFolder } from '../../storage/backups/backup.ts'
import { restoreDatabase } from '../../storage/backups/restore.ts'
import { expectedFile } from '../../storage/open/sqlite.ts'
import { checkAccess } from '../check-access.ts'
import { readEnvironment, withLock } from '../data-folder.ts'
import type { Setting } from '../setting.ts'
import { UserError } from '../user-error.ts'

/** `linnet restore` */
export function addRestoreCommand(program: Command, setting: Setting): void {
  program
    .command('restore <copy>')
    .description('Restore database and settings from a backup, while no server is running.')
    .addHelpText(
      'after',
      `
The backup is checked first, and the current data is kept in the folder backups.

Examples:
  linnet restore nightly-20261120T031500Z.db          from the folder backups
  linnet restore /mnt/elsewhere/linnet.db`,
    )
    .action((copy: string) => {
      const { dataDir } = readEnvironment(setting.env, setting.table).settings
      const file = join(dataDir, 'linnet.db')
      // Before the lock, which makes the folder: a mistyped one stays unmade.
      if (existsSync(dataDir)) checkAccess(dataDir)
      const from = findCopy(copy, file)
      return withLock(setting, () => restore(from, file))
    })
}

/** The path of a copy that was named; throws a sentence where there is none. */
function findCopy(copy: string, file: string): string {
  const places = [resolve(copy), join(backupsFolder(file), copy)]
  const from = places.find(place => existsSync(place))
  if (from === undefined) {
    throw new UserError(
      `There is no backup ${copy}, here or in ${backupsFolder(file)}. Name an existing one.`,
    )
  }
  if (from === file) throw new UserError(`${from} is the database itself. Name a backup.`)
  return from
}

async function restore(from: string, file: string): Promise<void> {
  const { kept, hadSettings } = await restoreDatabase(from, file, {
    ...expectedFile,
    now: Date.now(),
  })
  process.stdout.write(`${from} is now the database.\n`)
  process.stdout.write(
    hadSettings
      ? 'The settings of the backup are restored too: brand, plans, plugins and switches.\n'
      : 'The backup contains no settings, so settings.json is unchanged.\n',
  )
  if (kept !== undefined) process.stdout.write(`The previous data is kept as ${kept}\n`)
}
