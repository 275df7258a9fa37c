import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { api } from '../../api/client/client.ts'
import { Problem } from '../../api/client/problem.ts'
import { loadAfterwards } from './above-page.ts'

type LazyPart<Props> = LazyExoticComponent<ComponentType<Props>>

/**
 * A part of the page with separate code, loaded when it is first shown. Without a connection it waits for one,
 * and the rest of the page stays as it is.
 */
export function part<Props>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  return lazy(async () => ({ default: await untilConnected(load) }))
}

/** A part that shows only on request: its code is loaded after the first page. */
export function late<Props>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  loadAfterwards(load)
  return part(load)
}

async function untilConnected<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load()
    } catch (error) {
      if (await doesServerAnswer()) {
        await unlessLeaving()
        return onNewPage(error)
      }
      await new Promise(resolve => setTimeout(resolve, 2_000))
    }
  }
}

/** How long a browser that leaves the page may take for it, in milliseconds. */
const leavingMs = 10_000

let leavingAt = Number.NEGATIVE_INFINITY
addEventListener('beforeunload', () => {
  leavingAt = performance.now()
})

/**
 * Waits while the browser leaves the page. Firefox ends what loads then, and loading the page anew would bring back whoever
 * wanted to go.
 */
async function unlessLeaving(): Promise<void> {
  const left = leavingAt + leavingMs - performance.now()
  if (left > 0) await new Promise(resolve => setTimeout(resolve, left))
}

/**
 * Loads the page anew: browsers remember that they could not fetch a module, and an update may have renamed it. What
 * is typed and not saved is asked about first.
 * @throws if that was done a moment ago, and did not help.
 */
function onNewPage(error: unknown): Promise<never> {
  const reloadedAt = Number(sessionStorage.getItem('linnet-reloaded'))
  if (Date.now() - reloadedAt < 60_000) throw error
  sessionStorage.setItem('linnet-reloaded', `${Date.now()}`)
  location.reload()
  return new Promise(() => undefined)
}

const doesServerAnswer = () =>
  api.GET('/api/v1/session').then(
    () => true,
    error => !(error instanceof Problem) || error.status !== 0,
  )
