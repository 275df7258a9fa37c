import { isProblem, problemIn } from './problem.ts'

/**
 * The end of a session in the middle of things: a request that finds it over waits here, and is sent once
 * more when whoever was signed in is so again.
 */

interface Waiting {
  readonly isChange: boolean
  goOn(): void
  giveUp(reason: DOMException): void
}

let isOver = false
/** How often somebody has signed in again. */
let times = 0
let waiting: readonly Waiting[] = []
const watchers = new Set<() => void>()

/** Be told when the session ends and goes on; while nobody is, a request that finds it over fails. */
export function watchSession(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export function isSessionOver(): boolean {
  return isOver
}

/** Send on what waits: who was signed in is so again. */
export function goOn(): void {
  times += 1
  settle(waiting, it => it.goOn())
  tell(false)
}

/** Forget the changes that wait: whoever sent them has left their page. */
export function giveUpChanges(): void {
  settle(
    waiting.filter(it => it.isChange),
    giveUp,
  )
}

/** Forget all that waits: nobody is there any more to sign in again. */
export function giveUpAll(): void {
  settle(waiting, giveUp)
  tell(false)
}

/** Send a request; when the session is over, do so once somebody has signed in again. */
export async function fetchSignedIn(request: Request): Promise<Response> {
  // Signing in and out is what all others wait for.
  if (new URL(request.url).pathname === '/api/v1/session') return fetch(request)
  if (isOver) await turn(request)
  const again = request.clone()
  const timesBefore = times
  const response = await fetch(request)
  if (watchers.size === 0 || !(await isUnauthenticated(response))) return response
  if (times === timesBefore) {
    tell(true)
    await turn(request)
  }
  return fetchSignedIn(again)
}

function turn({ method }: Request): Promise<void> {
  return new Promise((goOn, giveUp) => {
    waiting = [...waiting, { isChange: method !== 'GET', goOn, giveUp }]
  })
}

function settle(some: readonly Waiting[], end: (it: Waiting) => void): void {
  waiting = waiting.filter(it => !some.includes(it))
  for (const it of some) end(it)
}

function giveUp(it: Waiting): void {
  it.giveUp(new DOMException('The session is over.', 'AbortError'))
}

function tell(now: boolean): void {
  isOver = now
  for (const watcher of watchers) watcher()
}

/** Not a wrong password, which is 401 too. */
async function isUnauthenticated(response: Response): Promise<boolean> {
  return response.status === 401 && isProblem(await problemIn(response.clone()), 'unauthenticated')
}
