import { getSystemErrorMessage } from 'node:util'

/**
 * Why the system refused something, such as `address already in use (EADDRINUSE)`. Node's own message also names what
 * was refused, which the sentence around it does already.
 */
export function reasonOf(error: unknown): string {
  const { errno, code, message } = error as NodeJS.ErrnoException
  const reason = errno === undefined ? undefined : getSystemErrorMessage(errno)
  return reason === undefined ? message : `${reason} (${code})`
}
