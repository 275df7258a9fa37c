import { describe, expect, it } from 'vitest'
import { movedFrom, partAt, partsOf, sources } from '../moved/moved.ts'
import { moveIn, send } from './move-in.ts'

describe.each(sources)('whoever moves from %s', source => {
  const moved = movedFrom(source)

  it('has clients and visitors answered as before, but for what is listed with its reason', async () => {
    const here = await moveIn(source, moved)
    for (const asked of moved.requests) {
      const { ask } = asked
      const answer = await send(here, asked)
      const there = partsOf(asked.answer)
      const expected = there.map(([path, value]) => {
        const difference = asked.here?.[path]
        if (!difference) return [path, value]
        const { is = null, like } = difference
        return [path, like === undefined ? is : expect.stringMatching(like)]
      })
      const found = there.map(([path]) => [path, partAt(answer, path)])
      expect({ ask, ...Object.fromEntries(found) }).toEqual({
        ask,
        ...Object.fromEntries(expected),
      })
    }
  })
})
