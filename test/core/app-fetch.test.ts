import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { contract } from '../../config/contract.ts'
import { features } from '../../config/features.ts'
import { plans } from '../../config/plans.ts'
import { buildApp } from '../../core/app/app.ts'
import { definePlugin, type Fetch } from '../../core/plugin.ts'
import { openStorage, settingsInMemory } from '../open-storage.ts'

it('the app gives plugins a fetch that reaches nothing on this machine, unless told otherwise', async () => {
  let fetch: Fetch | undefined
  const curious = definePlugin({
    feature: 'a.curious',
    about: 'Look at what it is given.',
    setup(context) {
      fetch = context.fetch
    },
  })
  const app = await buildApp({
    storage: await openStorage(),
    settings: settingsInMemory(),
    registry: { 'a.curious': async () => ({ default: curious }) },
    choice: { fixed: undefined, usual: ['a.curious'] },
    contract,
    plans,
    features,
    baseUrl: 'https://go.example.org',
    trustedProxies: { kind: 'none' },
    env: {},
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    now: () => new Date('2026-11-20T12:00:00Z'),
    version: '1.2.3',
  })
  let connections = 0
  const sink = createServer().on('connection', () => {
    connections += 1
  })
  onTestFinished(async () => {
    sink.close()
    await app.close()
  })
  await new Promise<void>(done => sink.listen(0, '127.0.0.1', done))
  const { port } = sink.address() as AddressInfo

  await expect(fetch?.(`http://127.0.0.1:${port}/`)).rejects.toThrow('plugins must not connect to')
  expect(connections).toBe(0)
})
