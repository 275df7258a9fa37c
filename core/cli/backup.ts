import { dirname } from 'node:path'
import type { Command } from 'commander'
import { backUp, backupPath } from '../storage/backup.ts'
import { umaskFor } from '../storage/close-folder.ts'
import { inspectFile } from '../storage/inspect-file.ts'
import { finishRestore } from '../storage/restore.ts'
import { expectedFile } from '../storage/sqlite.ts'
import { expectInstance } from './data-folder.ts'
import type { Setting } from './setting.ts'

/** `linnet backup` */
export function addBackupCommand(program: Command, setting: Setting): void {
  program
    .command('backup')
    .description('Copy database and settings into the folder backups, also while the server runs.')
    .addHelpText(
      'after',
      `
Prints the path of the copy, which is checked before it gets its name. It is one file and holds all that an
instance is restored from: the database, and in it what settings.json says.

Examples:
  linnet backup
  cp "$(linnet backup)" /mnt/elsewhere/`,
    )
    .action(() => makeBackup(setting))
}

async function makeBackup(setting: Setting): Promise<void> {
  const file = expectInstance(setting)
  process.umask(umaskFor(dirname(file)))
  await finishRestore(file)
  inspectFile(file, expectedFile)
  const copy = backupPath(file, 'manual', Date.now())
  await backUp(file, copy)
  process.stdout.write(`${copy}\n`)
}
