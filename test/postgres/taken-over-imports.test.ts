import { expect } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { temporaryFolder } from '../e2e/program.ts'
import { serve, token } from '../e2e/server.ts'
import { serve as answering } from '../plugins/organization/imports/api-server.ts'
import { url } from './own-server.ts'

const links = 2_000
const hits = 7

/** A server of Chhoto URL, one of whose links cannot be read. */
const chhoto = () =>
  answering(() => ({
    json: Array.from({ length: links + 1 }, (_, row) => ({
      ...{ shortlink: row === 100 ? '' : `code-${row}`, longlink: `https://example.com/${row}` },
      ...{ hits, expiry_time: 0, notes: null },
    })),
  }))

/** A server with a folder of its own, on the database of the test. */
const another = () =>
  serve({
    dataDir: temporaryFolder(),
    env: { LINNET_FETCH_ALLOW: '127.0.0.1/32', DATABASE_URL: url },
  })

itAtNight(
  'an import whose server is killed is taken over by another one, comes whole, and makes nothing twice',
  async () => {
    const { base, got } = await chhoto()
    const [first, ...others] = [await another(), await another(), await another()]
    const [heir] = others
    if (!heir) throw new Error('There are three servers.')
    const given = { source: 'chhoto', settings: { url: base, key: 'chhoto-key' } }
    const { body } = await first.api('POST', '/imports', given)
    const show = async () => (await heir.api('GET', `/imports/${body.data.id}`)).body.data
    await expect.poll(async () => (await show()).progress.made).toBeGreaterThan(100)
    await first.kill('SIGKILL')

    const left = await show()
    expect(left.state).toBe('running')
    expect(left.progress.made).toBeLessThan(links)
    // Once nobody has heard of it for half a minute, and a minute begins.
    await expect.poll(async () => (await show()).state, { timeout: 600_000 }).toBe('done')
    expect((await show()).progress).toMatchObject({
      ...{ made: links, changed: 0, kept: 0, refused: 1, visits: hits * links },
    })
    // One of the two, and not both.
    expect(got).toHaveLength(2)

    const report = await fetch(`${heir.url}/api/v1/imports/${body.data.id}/report`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect((await report.text()).trim().split('\n')).toHaveLength(2)
    const { body: all } = await heir.api('GET', '/links?per_page=1')
    expect(all.meta.total).toBe(links)
    const undated = async () => (await heir.api('GET', '/analytics?interval=all')).body.data.undated
    await expect.poll(undated).toBe(hits * links)
    expect((await heir.get(`/code-${links}`)).headers.get('location')).toBe(
      `https://example.com/${links}`,
    )
    for (const server of others) await server.kill('SIGTERM')
  },
)
