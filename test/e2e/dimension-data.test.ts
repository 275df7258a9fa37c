import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isNight, itAtNight } from '../at-night.ts'
import { canLimitMemory, withMemory } from './memory-limit.ts'
import { temporaryFolder } from './program.ts'
import { browser, createLink, type Server, serve } from './server.ts'

/** A plugin that counts visits by what is in a file beside it, read by this. */
const words = (open: string) => `
  import { definePlugin, dimension } from 'linnet/plugin'
  export default definePlugin({
    feature: 'acme.words',
    about: 'Count visits by a word.',
    dimensions: {
      visitsByWord: dimension({
        label: 'Word',
        unstable: { data: { file: new URL('./words.txt', import.meta.url), open: ${open} } },
        of: (visit, word) => (visit.userAgent === '' ? undefined : word),
      }),
    },
  })`

function folderWith(open: string, content: string) {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'plugins'))
  writeFileSync(join(dataDir, 'plugins/words.js'), words(open))
  const write = (content: string) => {
    writeFileSync(join(dataDir, 'words.new'), content)
    renameSync(join(dataDir, 'words.new'), join(dataDir, 'plugins/words.txt'))
  }
  write(content)
  return { dataDir, write }
}

async function analyticsOf(server: Server, id: string) {
  const { data } = (await server.api('GET', `/links/${id}/analytics?interval=7d`)).body
  return { visits: data.totals.visits, words: data.visitsByWord }
}

describe('a dimension with a data file', () => {
  itAtNight(
    'counts by it, has no value while it is broken, and goes on when it is replaced',
    async () => {
      const read = `content => {
      const text = Buffer.from(content).toString()
      if (text === 'broken') throw new Error('no words')
      return text
    }`
      const { dataDir, write } = folderWith(read, 'broken')
      const server = await serve({ dataDir })
      const { id, shortCode } = await createLink(server)
      let visitors = 0
      const visit = async () => {
        visitors += 1
        // Another browser each time, because what a dimension says of one is remembered for a minute.
        const agent = browser.replaceAll('145.0', `${visitors}.0`)
        const { status } = await server.get(`/${shortCode}`, { 'user-agent': agent })
        expect(status).toBe(302)
      }
      await visit()
      const error = await server.logged(/dimensions\.visitsByWord\.of failed/)
      expect(error.message).toMatch(/its data cannot be opened: no words$/)
      expect(error.feature).toBe('acme.words')
      const unknown = [expect.objectContaining({ value: '(none)', visits: 1 })]
      await expect.poll(() => analyticsOf(server, id)).toEqual({ visits: 1, words: unknown })
      const { body } = await server.get('/health/ready')
      expect(body.checks.visits.note).toContain('visitsByWord failed on 1 visit.')
      write('spring')
      const counted = async () => {
        await visit()
        return (await analyticsOf(server, id)).words
      }
      await expect
        .poll(counted, { timeout: 20_000 })
        .toContainEqual(expect.objectContaining({ value: 'spring' }))
      expect((await analyticsOf(server, id)).visits).toBe(visitors)
      expect((await server.kill('SIGTERM')).code).toBe(0)
    },
  )

  itAtNight('that never ends is done without, and all visits count', async () => {
    const { dataDir } = folderWith('() => { for (;;); }', 'x')
    await expectDoneWithout(await serve({ dataDir }), /did not answer within 5 s/)
  })

  it.runIf(canLimitMemory && isNight)(
    'that takes all memory is done without, and all visits count',
    async () => {
      const greedy =
        '() => { const all = []; for (;;) all.push(new Array(1_000).fill(0).map(String)) }'
      const { dataDir } = folderWith(greedy, 'x')
      const server = await serve({ dataDir, through: withMemory(256) })
      await expectDoneWithout(server, /used up the memory/)
    },
  )
})

async function expectDoneWithout(server: Server, why: RegExp): Promise<void> {
  const { id, shortCode } = await createLink(server)
  for (let time = 0; time < 5; time += 1) await server.get(`/${shortCode}`)
  const totals = async () => (await analyticsOf(server, id)).visits
  await expect.poll(totals, { timeout: 60_000 }).toBe(5)
  const { message } = await server.logged(/^acme\.words dimensions\.visitsByWord\.of failed/)
  expect(message).toMatch(why)
  expect((await server.kill('SIGTERM')).code).toBe(0)
}
