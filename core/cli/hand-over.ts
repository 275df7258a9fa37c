import { existsSync, lchownSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What Linnet makes in a data folder; others may keep files of their own there. */
const ours = /^(linnet\.|settings\.json|(backups|places|plugins)$)/

/**
 * Root may run a command on the data folder of another user, as that of a service. What root made in it becomes that
 * user's, who otherwise could not read the settings or make the next backup.
 */
export function handOver(folder: string): void {
  if (process.getuid?.() !== 0 || !existsSync(folder)) return
  const { uid, gid } = statSync(folder)
  if (uid === 0) return
  const give = (path: string) => {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found?.isDirectory()) for (const name of readdirSync(path)) give(join(path, name))
    // A file with another name elsewhere may be none that we made.
    if (found?.uid === 0 && (found.isDirectory() || found.nlink === 1)) lchownSync(path, uid, gid)
  }
  for (const name of readdirSync(folder).filter(it => ours.test(it))) give(join(folder, name))
}
