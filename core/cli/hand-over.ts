import { existsSync, lchownSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { adviseChown, isMounted } from './check-access.ts'

/** The names of files and folders that Linnet creates in a data folder. Others may keep their own files there. */
const ours = /^(linnet\.|settings\.json|(backups|geoip|plugins)$)/

/**
 * If root runs a command on the data folder of another user, such as that of a service, gives the files that root has
 * created there to that user, who otherwise could not read the settings or make the next backup.
 */
export function handOver(folder: string): void {
  if (process.getuid?.() !== 0 || !existsSync(folder)) return
  const { uid, gid } = statSync(folder)
  if (uid === 0) return
  try {
    giveTo({ uid, gid }, folder)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    // Root in a container may lack the rights of root, and then has created nothing in a folder that it cannot read.
    if (code === 'EACCES') return
    process.stderr.write(
      `Files in ${folder} may belong to root now: ${message}. ${adviseChown(`${uid}:${gid}`, folder, isMounted(folder))}\n`,
    )
  }
}

function giveTo({ uid, gid }: { readonly uid: number; readonly gid: number }, folder: string) {
  const give = (path: string) => {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found?.isDirectory()) for (const name of readdirSync(path)) give(join(path, name))
    // A file with a second hard link may not be ours.
    if (found?.uid === 0 && (found.isDirectory() || found.nlink === 1)) lchownSync(path, uid, gid)
  }
  for (const name of readdirSync(folder).filter(it => ours.test(it))) give(join(folder, name))
}
