import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import { backUp, backupPath } from '../../storage/backups/backup.ts'
import { finishRestore } from '../../storage/backups/restore.ts'
import { umaskFor } from '../../storage/files/close-folder.ts'
import { inspectFile } from '../../storage/files/inspect-file.ts'
import { expectedFile } from '../../storage/open/sqlite.ts'
import { expectInstance } from '../data-folder.ts'
import type { Setting } from '../setting.ts'
import { UserError } from '../user-error.ts'

/** `linnet backup` */
export function addBackupCommand(program: Command, setting: Setting): void {
  program
    .command('backup')
    .description('Copy database and settings into the folder backups, also while the server runs.')
    .option('--to <folder>', 'another folder, which has to be there')
    .addHelpText(
      'after',
      `
Prints the path of the copy, which is checked before it gets its name. It is one file and holds all that an
instance is restored from: the database, and in it what settings.json says.

Examples:
  linnet backup
  linnet backup --to /mnt/elsewhere`,
    )
    .action(({ to }: { to?: string }) => makeBackup(setting, to))
}

async function makeBackup(setting: Setting, to?: string): Promise<void> {
  const file = expectInstance(setting)
  // A disk that is not mounted is no folder to be made: the copy would land on the one it should leave.
  if (to !== undefined && !statSync(to, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UserError(`There is no folder ${to}. Make it, or mount the disk that it is on.`)
  }
  process.umask(umaskFor(dirname(file)))
  await finishRestore(file)
  inspectFile(file, expectedFile)
  const copy = backupPath(file, 'manual', Date.now(), to && resolve(to))
  await backUp(file, copy)
  process.stdout.write(`${copy}\n`)
}
