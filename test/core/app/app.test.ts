import { expect, it } from 'vitest'
import { definePlugin } from '../../../core/plugin.ts'
import { failWrites } from '../../fail-writes.ts'
import { boot } from '../../harness.ts'

it('a start that fails ends what it had begun', async () => {
  const told: string[] = []
  const waiting = definePlugin({
    feature: 'a.waiting',
    about: 'Hears of links.',
    setup: ({ signal }) => signal.addEventListener('abort', () => void told.push('aborted')),
    events: { kinds: ['link'], handle: () => undefined },
    dispose: () => void told.push('disposed'),
  })
  const linnet = await boot([])
  const mend = await failWrites(linnet.db, 'insert', 'event_listeners')
  await expect(linnet.restart([waiting])).rejects.toThrow('disk full')
  expect(told).toEqual(['aborted', 'disposed'])
  await mend()
  const next = await linnet.restart([waiting])
  await next.stop()
})
