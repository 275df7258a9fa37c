import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ConflictError, Linnet } from '../../client/linnet.ts'
import { root, temporaryFolder } from './program.ts'
import { serve, token } from './server.ts'

const page = readFileSync(join(root, 'docs/client.md'), 'utf8')
const examples = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)

/** Answers what the page asks of a plugin. */
const moods = `
  import { definePlugin, endpoint, z } from 'linnet/plugin'
  export default definePlugin({
    feature: 'custom.moods',
    about: 'Have moods.',
    endpoints: {
      'GET /moods/:id': endpoint({
        summary: 'Show a mood',
        scope: 'links:read',
        answer: z.strictObject({ data: z.strictObject({ id: z.string() }) }),
        handle: ({ params }) => ({ data: { id: params.id } }),
      }),
    },
  })`

it('the examples of docs/client.md do what they show, in JavaScript', async () => {
  const [begin = '', request = '', conflict = '', ...others] = examples
  expect(others).toEqual([])
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'plugins'))
  writeFileSync(join(dataDir, 'plugins/moods.js'), moods)
  const server = await serve({ dataDir })
  const other = await new Linnet({ url: server.url, token }).links.create({
    original_url: 'https://example.com/other',
  })
  const logged: unknown[][] = []
  const run = (code: string) =>
    new Function(
      'Linnet',
      'ConflictError',
      'process',
      'console',
      `return (async () => {${code}})()`,
    )(
      Linnet,
      ConflictError,
      { env: { LINNET_TOKEN: token } },
      { log: (...words: unknown[]) => logged.push(words) },
    )
  const connected = begin.replace(/^import .*\n/, '').replace('https://go.example.org', server.url)
  const connect = connected.slice(0, connected.indexOf('\n\n'))

  await run(connected)
  expect(logged).toEqual([
    [expect.stringMatching(/\/spring$/), 0],
    [other.shortUrl, 0],
  ])
  const asked = `${connect}\n${request.replace('<{ data: Mood }>', '')}\nreturn { data, meta, mood }`
  expect(await run(asked)).toMatchObject({
    data: [{ id: other.id }],
    meta: { total: 1 },
    mood: { data: { id: 'mood_1' } },
  })
  // The second time, the short code is taken, and that is what is caught.
  for (let time = 0; time < 2; time += 1) await run(`${connect}\n${conflict}`)
})
