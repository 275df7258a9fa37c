import { afterEach, expect, it } from 'vitest'
import { definePlugin, follow, type UnknownVisit, type Visit } from '../../../../core/plugin.ts'
import { boot, type Harness } from '../../../harness.ts'

let linnet: Harness
afterEach(() => linnet.stop())

it('all that a visit meets has the same time, at which its request arrived, and so has what counts it', async () => {
  const times: Record<string, string> = {}
  /** Each step takes a day. */
  const note = (step: string, { at }: Pick<Visit | UnknownVisit, 'at'>) => {
    times[step] = at.toISOString()
    linnet.at(`2026-11-2${Object.keys(times).length}T12:00:00Z`)
  }
  const noting = definePlugin({
    feature: 'a.noting',
    about: 'Notes when.',
    guard: () => visit => void note('guard', visit),
    target: () => (visit, url) => {
      note('target', visit)
      return url
    },
    dimensions: { days: { label: 'Days', chart: 'table', of: ({ at }) => at.toISOString() } },
    unstable: {
      unknown(visit) {
        note('unknown', visit)
        return follow(visit.path.toLowerCase())
      },
      counts(visit) {
        note('counts', visit)
        return true
      },
    },
  })
  const at = '2026-11-20T12:00:00.000Z'
  linnet = await boot([noting, 'link.customShortCode'], { at })
  const link = await linnet.create({ shortCode: 'spring' })
  expect((await linnet.visit('SPRING')).status).toBe(302)
  await linnet.app.recorder.catchUp()
  expect(times).toEqual({ unknown: at, guard: at, target: at, counts: at })
  expect((await linnet.counts(link)).days).toEqual({ [at]: 1 })
})
