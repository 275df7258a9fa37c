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

/** @throws if the server answers but does not have the file: an update has renamed it. */
async function untilConnected<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load()
    } catch {
      // The connection may have failed only at that moment.
      if (await doesServerAnswer()) return load()
      await new Promise(resolve => setTimeout(resolve, 2_000))
    }
  }
}

const doesServerAnswer = () =>
  api.GET('/api/v1/session').then(
    () => true,
    error => !(error instanceof Problem) || error.status !== 0,
  )
