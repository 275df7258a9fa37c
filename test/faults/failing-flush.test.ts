import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { lostLinks } from '../e2e/crash.ts'
import { temporaryFolder } from '../e2e/program.ts'
import { createLink, type Server, serve } from '../e2e/server.ts'
import { isOnDisk, noDisk, onDisk } from './disk.ts'

const clients = 10

describe.skipIf(noDisk)('a flush that fails, under clients who make links', () => {
  it('is told to each of them, and what they are told is made outlives a power cut', async () => {
    const dataDir = temporaryFolder()
    const keptIn = temporaryFolder()
    const failsWhile = join(temporaryFolder(), 'failing')
    const env = onDisk(dataDir, { keptIn, failsWhile, flushMs: 5 })
    const server = await serve({ dataDir, env })
    const made = makeLinks(server)

    for (let time = 0; time < 3; time += 1) {
      await delay(500)
      const before = made.promised.size
      expect(before).toBeGreaterThan(0)
      writeFileSync(failsWhile, '')
      await delay(500)
      const { storage } = (await server.get('/health/ready')).body.checks
      expect(storage).toMatchObject({ status: 'degraded' })
      rmSync(failsWhile)
      await expect.poll(() => made.promised.size).toBeGreaterThan(before)
    }
    const { shortCode } = await createLink(server)
    await server.kill('SIGKILL')
    await made.ended

    expect(new Set(made.otherwise)).toEqual(new Set([503]))
    const left = temporaryFolder()
    cpSync(keptIn, left, { recursive: true, filter: isOnDisk })
    const restarted = await serve({ dataDir: left })
    expect(await lostLinks(restarted, made.promised)).toEqual([])
    expect((await restarted.get(`/${shortCode}`)).status).toBe(302)
  })
})

if (noDisk) it.skip(`flushes that fail are left out: ${noDisk}`, () => undefined)

/** Clients create links, whatever the answers are, until the server answers no more. */
function makeLinks(server: Server) {
  const promised = new Map<string, string>()
  const otherwise: number[] = []
  const make = async (_: unknown, client: number) => {
    for (let number = 0; ; number += 1) {
      const original_url = `https://example.com/${client}/${number}`
      const answer = await server.api('POST', '/links', { original_url }).catch(() => undefined)
      if (!answer) return
      if (answer.status === 201) promised.set(answer.body.data.shortCode, original_url)
      else otherwise.push(answer.status)
    }
  }
  return { promised, otherwise, ended: Promise.all(Array.from({ length: clients }, make)) }
}
