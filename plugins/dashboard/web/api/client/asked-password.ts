import { isProblem, problemIn } from './problem.ts'
import { fetchSignedIn } from './session-end.ts'

/**
 * Handles steps that ask for the current password: a request that is refused for want of it waits here, and is sent
 * again with the password that somebody types. So no form needs a field for it.
 */

/** A request that waits for the password. */
export interface Asking {
  /** Whether the password that was typed before was wrong. */
  readonly isWrong: boolean
  answer(password: string): void
  cancel(): void
}

let asking: Asking | undefined
/** Requests ask one after another. */
let last: Promise<unknown> = Promise.resolve()
const watchers = new Set<() => void>()

/** Call `watcher` when a password is asked for, or no more. Without a watcher, refusals are handed on. */
export function watchAsking(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export const askingNow = (): Asking | undefined => asking

/** Send a request, and again with the password if that is asked for. Aborted if nobody wants to type it. */
export async function fetchConfirmed(request: Request): Promise<Response> {
  const again = request.clone()
  const response = await fetchSignedIn(request)
  if (watchers.size === 0 || !(await isWrongPassword(response))) return response
  const sent = JSON.parse((await again.text()) || '{}')
  // Its form has a field for it.
  if ('current_password' in sent) return response
  const { url, method, signal } = again
  const headers = new Headers(again.headers)
  headers.set('Content-Type', 'application/json')
  const send = (password: string) => {
    const body = JSON.stringify({ ...sent, current_password: password })
    return fetchSignedIn(new Request(url, { method, headers, body, signal }))
  }
  const turn = last.then(() => untilRight(send)).finally(() => tell(undefined))
  last = turn.catch(() => undefined)
  return turn
}

async function untilRight(send: (password: string) => Promise<Response>): Promise<Response> {
  for (let isWrong = false; ; isWrong = true) {
    const response = await send(await ask(isWrong))
    if (!(await isWrongPassword(response))) return response
  }
}

function ask(isWrong: boolean): Promise<string> {
  return new Promise((answer, reject) => {
    const cancel = () => reject(new DOMException('The password was not typed.', 'AbortError'))
    tell({ isWrong, answer, cancel })
  })
}

function tell(now: Asking | undefined): void {
  asking = now
  for (const watcher of watchers) watcher()
}

async function isWrongPassword(response: Response): Promise<boolean> {
  return response.status === 422 && isProblem(await problemIn(response.clone()), 'wrong_password')
}
