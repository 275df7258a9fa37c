import { getSystemErrorMessage } from 'node:util'
import { caught } from './caught.ts'
import { showHidden } from './text/shown.ts'

/** Errors about a mistake in code, and errors of zod, whose message is JSON. */
const ofCode = /^(Type|Range|Reference|Syntax|Eval|URI|Assertion|\$?Zod)Error$/
/** Where the build puts code of Linnet, which tells the author of a plugin nothing. */
const ofBuild = /^chunk-[A-Z0-9]{8}\./
/** Codes of errors of Node and of its zlib. Those of the system, such as ENOENT, have messages that people can read. */
const codeOfNode = /^(ERR|Z)_/

/**
 * What people are told of an error: its message, unless Node wrote that for the author of the code. Then it is the kind
 * of error and the place; the log has the rest.
 */
export function messageForPeople(thrown: unknown): string {
  const { name, message, code = '', stack = '' }: NodeJS.ErrnoException = caught(thrown)
  if (!ofCode.test(name) && !codeOfNode.test(code)) return message
  const frames = [...stack.matchAll(/\n +at .*?([\w.-]+\.[cm]?[jt]s(?:\?linnet=\w+)?:\d+)/g)]
  const place = frames.map(([, it = '']) => it).find(it => !ofBuild.test(it))
  return place === undefined ? `${name} in the code` : `${name} at ${place.replace(/\?.*:/, ':')}`
}

/** The stack of what was thrown, without the `?linnet=` that tells versions of a plugin apart. */
export function stackOf(thrown: unknown): string {
  return `${caught(thrown).stack}`.replace(/\?linnet=\w+/g, '')
}

/**
 * Why the system refused something, such as `address already in use (EADDRINUSE)`. Node's own message also names what
 * was refused, which the sentence around it does already.
 */
export function reasonOf(error: unknown): string {
  const { errno, code, message } = error as NodeJS.ErrnoException
  const reason = errno === undefined ? undefined : getSystemErrorMessage(errno)
  return reason === undefined ? message : `${reason} (${code})`
}

/** What is wrong with a file that somebody named, as a sentence; undefined if an error is not about one. */
export function sentenceOfFile(error: unknown): string | undefined {
  const { code = '', path, syscall } = caught(error) as NodeJS.ErrnoException
  if (syscall === undefined || (path === undefined && syscall !== 'write')) return undefined
  const known = ofFiles[code]
  return known && path !== undefined
    ? `${showHidden(path)} ${known}.`
    : `This cannot be done: ${caught(error).message}`
}

const ofFiles: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist, or its folder does not',
  ENOTDIR: 'cannot be there: a part of that path is a file, and no folder',
  EISDIR: 'is a folder, and no file',
  EEXIST: 'is there already',
  EACCES: 'may not be used by the user who runs this',
  EPERM: 'may not be used by the user who runs this',
  EROFS: 'cannot be written: its disk is read-only',
  ENOSPC: 'cannot be written: the disk is full',
  ENAMETOOLONG: 'is too long for a name',
}
