import { afterEach, describe, expect, it } from 'vitest'
import { definePlugin } from '../../../../core/plugin.ts'
import { boot, type Harness } from '../../../harness.ts'

let house: Harness
afterEach(() => house.stop())

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

const run = (name: string) => house.api('POST', `/admin/jobs/${name}/run`)

describe('jobs over the API', () => {
  it('are listed with what came of their last run', async () => {
    house = await boot(busy)
    const { body } = await house.api('GET', '/admin/jobs')
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
    house = await boot(busy)
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
    house = await boot(busy)
    expect((await run(name)).status).toBe(404)
  })

  it('do not make backups of a database that is no file', async () => {
    house = await boot([])
    expect((await run('storage.backup')).status).toBe(404)
    expect((await house.api('POST', '/admin/backups')).status).toBe(409)
  })
})
