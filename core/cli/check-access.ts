import { accessSync, constants, existsSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { reasonOf } from '../lib/message-for-people.ts'
import { UserError } from '../lib/user-error.ts'

/** The names of files that Linnet writes into a data folder. Others may keep their own files there. */
const ours = /^(linnet\.|settings\.json)/

/** Throws if this process may not use something in a data folder. The message says what, and what to type. */
export function checkAccess(folder: string): void {
  const { R_OK, W_OK, X_OK } = constants
  if (!statSync(folder).isDirectory()) {
    throw new UserError(
      `The data folder ${folder} cannot be created: it is a file. Set LINNET_DATA_DIR to another folder.`,
    )
  }
  checkOne(folder, R_OK | W_OK | X_OK, folder)
  for (const name of readdirSync(folder).filter(it => ours.test(it))) {
    const path = join(folder, name)
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found?.isSymbolicLink()) {
      throw new UserError(
        `${path} is a symbolic link, but Linnet writes files beside it and in its place. ` +
          'Put the file itself there, or set LINNET_DATA_DIR to the folder where it is.',
      )
    }
    if (found && !found.isFile()) {
      throw new UserError(
        `${path} is not a file, but Linnet needs a file of that name. Move it away.`,
      )
    }
    if (found) checkOne(path, R_OK | W_OK, folder)
  }
}

function checkOne(path: string, mode: number, folder: string): void {
  try {
    accessSync(path, mode)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EROFS') {
      throw new UserError(
        `${path} is on a disk that is mounted read-only. ` +
          'Mount it for writing, or set LINNET_DATA_DIR to a folder elsewhere.',
      )
    }
    if (code !== 'EACCES') throw new UserError(`${path} cannot be used: ${reasonOf(error)}.`)
    throw new UserError(
      `${path} cannot be read and written by this process. ${whoMay(path, folder)}`,
    )
  }
}

/** Says who owns a path. Not reached on Windows, which has no such ids. */
function whoMay(path: string, folder: string): string {
  const { uid, gid, mode } = statSync(path)
  const [ownUid, ownGid] = [process.getuid?.(), process.getgid?.()]
  const are =
    `It runs as uid ${ownUid} and gid ${ownGid}; the owner is uid ${uid} and gid ${gid}, ` +
    `the mode ${(mode & 0o777).toString(8)}.`
  if (ownUid === uid) return `${are} Type: chmod -R u+rwX ${folder}`
  return `${are} ${adviseChown(`${ownUid}:${ownGid}`, folder, isMounted(folder))}`
}

/** What to type so that a user, such as `1000:1000`, owns a data folder. In a container, its path means nothing outside. */
export function adviseChown(owner: string, folder: string, fromOutside: boolean): string {
  return fromOutside
    ? `Give that user the folder that is mounted at ${folder}. On the host, as root, type chown -R ${owner} and the path of that folder there.`
    : `Type, as root: chown -R ${owner} ${folder}`
}

/**
 * Whether this is a container, and the folder is one of its host's. Docker and Podman leave these files, but Podman not
 * in a container that can only be read: the variables are its, and those of Kubernetes.
 */
function isMounted(folder: string): boolean {
  const inContainer =
    ['/.dockerenv', '/run/.containerenv'].some(it => existsSync(it)) ||
    ['container', 'KUBERNETES_SERVICE_HOST'].some(it => process.env[it] !== undefined)
  return inContainer && statSync(folder).dev !== statSync(dirname(folder)).dev
}
