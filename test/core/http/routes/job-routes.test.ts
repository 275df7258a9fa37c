import { afterEach, describe, expect, it } from 'vitest'
import { definePlugin } from '../../../../core/plugin.ts'
import { boot, type Harness } from '../../../harness.ts'

let linnet: Harness
afterEach(() => linnet.stop())

let runs = 0
let isBroken = false
const busy = definePlugin({
  feature: 'a.busy',
  about: 'A plugin for a test.',
  jobs: {
    work: {
      every: '17 3 * * *',
      run() {
        runs += 1
        if (isBroken) throw new Error('boom')
      },
    },
  },
})

const run = (name: string) => linnet.api('POST', `/admin/jobs/${name}/run`)

describe('jobs over the API', () => {
  it('are listed with what came of their last run', async () => {
    linnet = await boot(busy)
    const { body } = await linnet.api('GET', '/admin/jobs')
    expect(body.data).toContainEqual({
      name: 'a.busy.work',
      label: 'Work',
      every: '17 3 * * *',
      running: false,
      startedAt: null,
      endedAt: null,
      error: null,
      outcome: null,
      nextRunAt: null,
    })
  })

  it('run when they are told to, and say how that went', async () => {
    linnet = await boot(busy)
    const before = runs
    expect(await run('a.busy.work')).toMatchObject({
      status: 200,
      body: { data: { running: false, outcome: 'succeeded', error: null } },
    })
    expect(runs).toBe(before + 1)
    isBroken = true
    const failed = await run('a.busy.work')
    isBroken = false
    expect(failed.body.data).toMatchObject({ outcome: 'failed', error: 'boom' })
  })

  it.each(['a.other', 'constructor'])('are not found under %s', async name => {
    linnet = await boot(busy)
    expect((await run(name)).status).toBe(404)
  })

  it('are not found while their plugin is off or does not run, and that is said', async () => {
    const failing = definePlugin({
      ...busy,
      feature: 'a.failing',
      setup: () => {
        throw new Error('boom')
      },
    })
    linnet = await boot([busy, failing], {
      settings: { plugins: { off: ['a.busy'] } },
      withoutLeftOut: true,
    })
    const detailOf = async (name: string) => (await run(name)).body.detail
    expect(await detailOf('a.busy.work')).toBe(
      'Jobs of a.busy cannot run, because this plugin is off. Switch it on first.',
    )
    expect(await detailOf('a.failing.work')).toBe(
      'Jobs of a.failing cannot run, because this plugin does not run: its set-up failed: boom.',
    )
    expect(await detailOf('a.busybody')).toBe('There is no job with this name.')
    await linnet.api('PATCH', '/admin/plugins/a.busy', { enabled: true })
    expect(await detailOf('a.busy.other')).toBe('There is no job with this name.')
    expect((await run('a.busy.work')).status).toBe(200)
  })

  it('do not make backups of a database that is no file', async () => {
    linnet = await boot([])
    expect((await run('storage.backup')).status).toBe(404)
    expect((await linnet.api('POST', '/admin/backups')).status).toBe(409)
  })
})
