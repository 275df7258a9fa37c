import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { type UserInfo, userInfo } from 'node:os'
import { dirname } from 'node:path'
import { isSea } from 'node:sea'
import { reasonOf } from '../lib/message-for-people.ts'
import { UserError } from '../lib/user-error.ts'

/**
 * If root starts Linnet on the data folder of another user, that user runs it instead, from its beginning: whoever may
 * write to a folder can put plugins there, which root would run, and links, through which root would write.
 */
export function becomeOwner(folder: string): void {
  if (process.getuid?.() !== 0) return
  const { uid } = statSync(nearest(folder))
  if (uid === 0) return
  const home = becomeUser(uid, folder)
  const { execPath, execArgv, argv } = process
  // The single binary unpacks its files again for this user, who may not read those of root.
  const args = isSea() ? argv.slice(2) : [...execArgv, ...argv.slice(1)]
  const script = isSea() ? [] : argv.slice(1, 2)
  for (const path of [execPath, ...script, folder]) expectReach(path, uid, folder)
  process.execve?.(execPath, [execPath, ...args], { ...process.env, HOME: home })
}

/** The folder, or the one that it would be created in. */
function nearest(folder: string): string {
  return existsSync(folder) ? folder : nearest(dirname(folder))
}

/** Node has it, and its types do not: https://nodejs.org/api/process.html#processinitgroupsuser-extragroup */
type WithGroups = NodeJS.Process & { initgroups?(user: string, extraGroup: number): void }

/** Gives up the rights and groups of root for good. Returns the home of the user. */
function becomeUser(uid: number, folder: string): string {
  try {
    const user = findUser(uid)
    if (user) (process as WithGroups).initgroups?.(user.username, user.gid)
    else process.setgroups?.([uid])
    process.setgid?.(user?.gid ?? uid)
    process.setuid?.(uid)
    return user?.homedir ?? '/'
  } catch (error) {
    throw new UserError(
      `${folder} belongs to uid ${uid}, and root may not become that user here: ` +
        `${(error as Error).message}. Run this as uid ${uid}.`,
    )
  }
}

/** The user of a number. A container may have none of it. */
function findUser(uid: number): UserInfo<string> | undefined {
  process.seteuid?.(uid)
  try {
    return userInfo({ encoding: 'utf8' })
  } catch {
    return undefined
  } finally {
    process.seteuid?.(0)
  }
}

function expectReach(path: string, uid: number, folder: string): void {
  try {
    accessSync(path, constants.F_OK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw new UserError(
      `${folder} belongs to uid ${uid}, who runs this in the place of root, and who may not reach ${path}: ` +
        `${reasonOf(error)}. Move it to where that user may.`,
    )
  }
}
