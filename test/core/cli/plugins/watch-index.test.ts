import { expect, it } from 'vitest'
import { watchIndex } from '../../../../core/cli/plugins/watch-index.ts'
import { IndexUnusable, type PluginIndex } from '../../../../core/outside/plugin-index.ts'

/** All that is logged of an index whose reading ends like this. */
async function loggedOf(failure: Error): Promise<readonly unknown[][]> {
  return new Promise(resolve => {
    const index: PluginIndex = {
      address: 'https://example.org/plugins.json',
      read: () => Promise.reject(failure),
      withdrawn: () => [],
    }
    const note = (...said: unknown[]) => resolve([said])
    const log = { info: note, warn: note, error: note }
    watchIndex(index, log).stop()
  })
}

it('an index that cannot be read is logged as one sentence, but a bug with its stack', async () => {
  const reason =
    'The index of plugins at https://example.org/plugins.json cannot be read: it answers 404.'
  expect(await loggedOf(new IndexUnusable(reason))).toEqual([
    [`Withdrawn plugins could not be looked up: ${reason}`],
  ])
  const bug = new Error('a bug')
  expect(await loggedOf(bug)).toEqual([['The index of plugins could not be read', { error: bug }]])
})
