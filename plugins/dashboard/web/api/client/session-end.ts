import { isProblem, problemIn } from './problem.ts'

/**
 * Handles a session that ends in the middle of things: a request that is refused for it waits here, and is sent
 * once more when the same account has signed in again.
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
/** The account whose page this is. */
let account: string | undefined

/** Call `watcher` when the session ends or resumes. Without a watcher, requests after the end of the session fail. */
export function watchSession(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export function isSessionOver(): boolean {
  return isOver
}

/** From now on changes are made as this account or not at all: if another one signs in in another tab, the session is over here. */
export function changeAs(id: string | undefined): void {
  account = id
}

/** Send the waiting requests: the same account is signed in again. */
export function goOn(): void {
  times += 1
  settle(waiting, it => it.goOn())
  tell(false)
}

/** Drop the waiting changes: whoever made them has left the page. */
export function giveUpChanges(): void {
  settle(
    waiting.filter(it => it.isChange),
    giveUp,
  )
}

/** Drop all waiting requests: nobody is there to sign in again. */
export function giveUpAll(): void {
  settle(waiting, giveUp)
  tell(false)
}

/** Send a request. If the session is over, send it again once somebody has signed in. */
export async function fetchSignedIn(request: Request): Promise<Response> {
  // All other requests wait for signing in and out.
  if (/^\/api\/v1\/session(\/(ask|step))?$/.test(new URL(request.url).pathname))
    return fetch(request)
  if (isOver) await turn(request)
  if (account !== undefined && request.method !== 'GET')
    request.headers.set('Linnet-Account', account)
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

/** Whether the session is over; a wrong password is a 401 too. */
async function isUnauthenticated(response: Response): Promise<boolean> {
  return response.status === 401 && isProblem(await problemIn(response.clone()), 'unauthenticated')
}
