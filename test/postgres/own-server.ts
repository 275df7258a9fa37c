import { afterAll, beforeAll, beforeEach } from 'vitest'
import { create } from '../open-on-server.ts'
import { findPrograms, startServer } from './server.mjs'

/** A server for the test file that imports it. */
export let server: Awaited<ReturnType<typeof startServer>>

/** The address of an empty database on it, a new one for each test. */
export let url: string

beforeAll(async () => {
  server = await startServer(findPrograms() ?? '')
})
afterAll(() => server.stop())
beforeEach(async () => {
  url = await create(server.url())
})
