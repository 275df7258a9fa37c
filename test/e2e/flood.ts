import { setTimeout as delay } from 'node:timers/promises'
import type { Instance } from './server.ts'

interface Links {
  /** Redirects to `https://example.com/`. */
  readonly plain: { readonly shortCode: string }
  /** Has a guard that lets nobody through. */
  readonly closed: { readonly shortCode: string }
}

/** Sends 200 requests a second while something runs, to an instance with just two links; returns the wrong answers. */
export async function flood(
  server: Instance,
  { plain, closed }: Links,
  goesOn: () => Promise<void>,
) {
  const wrong: unknown[] = []
  let followed = 0
  const ask = [
    async () => {
      const { status, headers } = await server.get(`/${plain.shortCode}`)
      if (status === 302 && headers.get('location') === 'https://example.com/') followed += 1
      else wrong.push({ plain: status })
    },
    async () => {
      const { status, headers } = await server.get(`/${closed.shortCode}`)
      if (![403, 503].includes(status) || headers.has('location')) wrong.push({ closed: status })
    },
    async () => {
      const { status, body } = await server.api('GET', '/links')
      if (status !== 200 || body.data.length !== 2) wrong.push({ list: status, body })
    },
    async () => {
      const { status } = await server.api('GET', '/openapi.json')
      if (status !== 200) wrong.push({ openapi: status })
    },
  ]
  let isOver = false
  const asked: Promise<void>[] = []
  const asking = (async () => {
    for (let turn = 0; !isOver; turn += 1) {
      asked.push(ask[turn % 30 === 2 ? 3 : turn % 3]?.() as Promise<void>)
      await delay(5)
    }
  })()
  try {
    await goesOn()
  } finally {
    isOver = true
    await asking
    await Promise.all(asked)
  }
  return { wrong, followed }
}
