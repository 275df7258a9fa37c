import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from '../../lib/message-for-people.ts'
import type { Log } from '../../plugin.ts'

/**
 * Names that Linnet gives to files in a data folder and in its folder `backups`; other folders have their own names.
 */
const ours =
  /^(linnet\.(db|lock|reserve|running)|settings\.json|(backups|places|plugins|plugin-files)$|(nightly|manual|before-schema|before-restore)-)/

const others = 0o007
const groupAndOthers = 0o077

/**
 * The permissions that new files in a data folder must not have, for `process.umask`. If a folder is closed to others
 * but open to its group, its operator wants the group to read it.
 */
export function umaskFor(folder: string): number {
  const { mode } = statSync(folder)
  return mode & others || (mode & 0o050) !== 0o050 ? groupAndOthers : 0o027
}

/**
 * Keep password hashes, tokens and addresses from other users of the machine: close existing files, and log it. A
 * folder that also contains files that are not Linnet's stays open, but Linnet's own files in it do not.
 */
export function closeToOthers(folder: string, log: Log): void {
  const kept = umaskFor(folder) === groupAndOthers ? groupAndOthers : others
  // Whoever may not enter a folder reads nothing in it, whatever permissions its files have.
  const wasOpen = (statSync(folder).mode & kept) !== 0
  const closed: string[] = []
  const failed: string[] = []

  function close(path: string): void {
    const { mode } = statSync(path)
    if ((mode & kept) === 0) return
    chmodSync(path, mode & ~kept & 0o7777)
    closed.push(path)
  }

  function closeAll(within: string): void {
    const entries = readdirSync(within, { withFileTypes: true })
    if (entries.every(({ name }) => ours.test(name))) attempt(within, close)
    for (const entry of entries) {
      if (!ours.test(entry.name)) continue
      const path = join(within, entry.name)
      // Whoever may not enter these reads nothing in them either.
      if (['plugins', 'plugin-files', 'geoip'].includes(entry.name)) attempt(path, close)
      else if (entry.isDirectory()) attempt(path, closeAll)
      else if (entry.isFile()) attempt(path, close)
    }
  }

  /** A folder may belong to another user, as a volume does; links can be followed all the same. */
  function attempt(path: string, work: (path: string) => void): void {
    try {
      work(path)
    } catch (error) {
      failed.push(`${path}: ${reasonOf(error)}`)
    }
  }

  attempt(folder, closeAll)
  if (!wasOpen) return
  if (closed.length > 0) {
    log.warn(
      `Other users of this machine could read the data folder ${folder}, and no longer can. ` +
        'To let a group read it: chmod 750',
      { closed },
    )
  }
  if (failed.length > 0) {
    log.warn(`Other users of this machine may be able to read the data folder ${folder}`, {
      failed,
    })
  }
}
