import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { everythingAtOnce, makeLinks } from '../e2e/everything-at-once.ts'
import { canLimitMemory, withMemory } from '../e2e/memory-limit.ts'
import { linnet } from '../e2e/program.ts'
import { serve } from '../e2e/server.ts'

const minutes = Number(process.env.MEMORY_MINUTES ?? 10)
const links = 50_000

describe.skipIf(!canLimitMemory)('everything at once, for minutes', () => {
  it.each([
    ['256 MiB with cities', 256, []],
    ['128 MiB without cities', 128, ['analytics.visitsByCity']],
  ])(
    'does not end a server with %s',
    async (_, mebibytes, off) => {
      const { dataDir, kill } = await serve()
      await kill('SIGTERM')
      for (const feature of off) {
        const env = { LINNET_DATA_DIR: dataDir }
        expect(await linnet(['plugins', 'off', feature], { env })).toMatchObject({ code: 0 })
      }
      const server = await serve({
        through: withMemory(mebibytes),
        dataDir,
        env: { LINNET_TRUSTED_PROXIES: '1', MALLOC_ARENA_MAX: '1' },
      })
      await makeLinks(server, links)
      const endAt = performance.now() + minutes * 60_000
      const { answered, wrong } = await everythingAtOnce(
        server,
        links,
        () => performance.now() > endAt,
      )
      const { body } = await server.get('/health/ready')
      const [, most] =
        /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8')) ?? []
      console.table([{ mebibytes, ...answered, mostResident: Math.round(Number(most) / 1024) }])
      console.log(body.checks.visits.note)
      expect(wrong).toEqual([])
      expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    },
    (minutes + 10) * 60_000,
  )
})

if (!canLimitMemory) it.skip('is left out: no memory cgroup can be made here', () => undefined)
