import { describe, expect, it, onTestFinished, vi } from 'vitest'
import visitsTracking from '../../plugins/analytics/visits-tracking.ts'
import apiKeys from '../../plugins/developer/api-keys.ts'
import { boot } from '../harness.ts'
import { printPart } from './report.mjs'
import { untilCounted } from './until-counted.mjs'

describe('the benchmark, where visits come faster than they can be stored', () => {
  it('waits for no visit of which health says that it was dropped', async () => {
    const linnet = await boot([visitsTracking, apiKeys])
    onTestFinished(() => linnet.stop())
    const port = await linnet.app.server.listen(0, '127.0.0.1')
    const draft = { name: 'bench', scopes: ['*'] }
    const { token } = (await linnet.api('POST', '/api-tokens', draft)).body.data
    const server = { url: `http://127.0.0.1:${port}`, token }
    const link = await linnet.create()

    for (let visit = 0; visit < 3; visit += 1) await linnet.visit(link)
    expect(await untilCounted(server, 3)).toEqual({ counted: 3, dropped: 0 })
    // A closed recorder drops visits just like a full one.
    await linnet.app.recorder.close()
    for (let visit = 0; visit < 2; visit += 1) await linnet.visit(link)
    expect(await untilCounted(server, 5)).toEqual({ counted: 3, dropped: 2 })
  })

  it('says under the table how many were dropped, and that this is not what is promised', () => {
    const printed: string[] = []
    const log = vi.spyOn(console, 'log').mockImplementation(text => printed.push(String(text)))
    onTestFinished(() => log.mockRestore())
    const row = { countsVisits: true, rounds: [], mebibytes: 80, visits: 51_000 }
    printPart({ title: 'links', columns: ['MiB'], goals: [] }, [
      { ...row, name: 'totals only', dropped: 0 },
      { ...row, name: 'every dimension', dropped: 1_000 },
    ])
    expect(printed.join('\n').match(/^- .*$/gm)).toEqual([
      '- MISS: every dimension: 1000 of 51000 visits were dropped; promised: none',
    ])
  })
})
