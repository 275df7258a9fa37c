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
  const file = expectInstance(setting)
  // A disk that is not mounted is no folder to be made: the copy would land on the one it should leave.
  if (to !== undefined && !statSync(to, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UserError(`There is no folder ${to}. Create it, or mount its disk.`)
  }
  process.umask(umaskFor(dirname(file)))
  await finishRestore(file)
  inspectFile(file, expectedFile)
  const copy = backupPath(file, 'manual', Date.now(), to && resolve(to))
  await backUp(file, copy)
  process.stdout.write(`${copy}\n`)
}
