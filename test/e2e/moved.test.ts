import { describe, expect, it } from 'vitest'
import { firstOf } from '../at-night.ts'
import { type Moved, movedFrom, partAt, partsOf, programs, services } from '../moved/moved.ts'
import { importAll, type MovedIn, moveIn, send } from './move-in.ts'
import { serve } from './server.ts'

describe.each(firstOf(1, programs))('whoever moves from %s', source => {
  const moved = movedFrom(source)

  it('has clients and visitors answered as before, but for what is listed with its reason', async () => {
    await answersAsBefore(await moveIn(source, moved), moved)
  })
})

describe('whoever moves from a service or a program without a door', () => {
  it('has visitors led on as before, but for what is listed with its reason', async () => {
    const env = { LINNET_BASE_URL: 'https://linnet.test', LINNET_FETCH_ALLOW: '127.0.0.1/32' }
    const { port } = await (await serve({ env })).logged(/^Linnet is ready/)
    const url = `http://127.0.0.1:${port}`
    for (const source of services) {
      const moved = movedFrom(source)
      await importAll({ url }, source, moved)
      await answersAsBefore({ url, host: moved.host ?? '', named: new Map() }, moved)
    }
  })
})

async function answersAsBefore(here: MovedIn, { requests }: Moved): Promise<void> {
  const all = []
  for (const asked of requests) {
    const answer = await send(here, asked)
    const there = partsOf(asked.answer)
    const expected = there.map(([path, value]) => {
      const difference = asked.here?.[path]
      if (!difference) return [path, value]
      const { is = null, like } = difference
      return [path, like === undefined ? is : expect.stringMatching(like)]
    })
    const found = there.map(([path]) => [path, partAt(answer, path)])
    const ask = { ask: asked.ask, headers: asked.headers }
    all.push({
      found: { ...ask, ...Object.fromEntries(found) },
      expected: { ...ask, ...Object.fromEntries(expected) },
    })
  }
  expect(all.map(({ found }) => found)).toEqual(all.map(({ expected }) => expected))
}
