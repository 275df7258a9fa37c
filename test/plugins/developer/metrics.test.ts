import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { definePlugin } from '../../../core/plugin.ts'
import apiKeys from '../../../plugins/developer/api-keys.ts'
import metrics from '../../../plugins/developer/metrics.ts'
import passwordProtection from '../../../plugins/link/password-protection.ts'
import { boot, type Harness } from '../../harness.ts'

let linnet: Harness
afterEach(() => linnet.stop())

async function read(): Promise<string> {
  const { status, headers, body } = await linnet.api('GET', '/metrics')
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  return String(body)
}

/** The numbers by what stands before them. */
async function numbers(): Promise<Readonly<Record<string, number>>> {
  const lines = (await read()).split('\n').filter(line => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map(line => {
      const [, what = '', value] = /^(\S+?(?:\{.*\})?) (\S+)$/.exec(line) ?? []
      return [what, Number(value)]
    }),
  )
}

const answered = (outcome: string) => `linnet_visits_answered_total{outcome="${outcome}"}`

describe('metrics', () => {
  it('count visits by what they were answered', async () => {
    linnet = await boot([metrics, passwordProtection])
    const open = await linnet.create()
    const shut = await linnet.create({ password: 'sesame' })
    // The first fills the cache.
    for (let visit = 0; visit < 130; visit += 1) await linnet.visit(open)
    await linnet.visit(shut)
    await linnet.visit('nowhere')
    await linnet.visit(open, { method: 'POST' })
    const found = await numbers()
    expect(found).toMatchObject({
      [answered('redirected')]: 130,
      [answered('shown')]: 0,
      [answered('not_found')]: 1,
      [answered('refused')]: 2,
      [answered('failed')]: 0,
      linnet_answer_seconds_count: 2,
      'linnet_answer_seconds_bucket{le="+Inf"}': 2,
      linnet_cached_links: 2,
      linnet_visits_dropped_total: 0,
      'linnet_health{part="storage"}': 0,
      'linnet_job_failed{job_name="visits.tidyCounts"}': 0,
    })
    expect(found.process_resident_memory_bytes).toBeGreaterThan(1e6)
    expect(found.linnet_answer_seconds_sum).toBeGreaterThan(0)
  })

  it('tell of failing hooks', async () => {
    const broken = definePlugin({
      feature: 'acme.broken',
      about: 'Fails at each visit.',
      guard: () => () => {
        throw new Error('boom')
      },
    })
    linnet = await boot([metrics, broken])
    await linnet.visit(await linnet.create())
    expect(await numbers()).toMatchObject({
      'linnet_hook_failures{hook="acme.broken guard"}': 1,
    })
  })

  it('are for admins with a token that allows them', async () => {
    linnet = await boot([metrics, apiKeys])
    const tokenFor = async (scope: string) => {
      const { body } = await linnet.api('POST', '/api-tokens', { name: 'x', scopes: [scope] })
      return { authorization: `Bearer ${body.data.token}` }
    }
    const allowed = await tokenFor('metrics:read')
    const other = await tokenFor('links:read')
    const ask = async (headers: Record<string, string>) =>
      (await linnet.api('GET', '/metrics', undefined, headers)).status
    expect([await ask(allowed), await ask(other)]).toEqual([200, 403])
    await linnet.db.updateTable('accounts').set({ is_admin: 0 }).execute()
    expect(await ask(allowed)).toBe(403)
  })

  it('have every name that the dashboard and the alerts ask for, and are documented', async () => {
    linnet = await boot([metrics])
    const known = [...(await read()).matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name)
    // What only a database in a file has.
    const onDisk = ['linnet_database_bytes', 'linnet_database_log_bytes', 'linnet_disk_free_bytes']
    for (const file of ['deploy/grafana/linnet.json', 'deploy/prometheus/alerts.yml']) {
      const asked = readFileSync(`docs/${file}`, 'utf8').match(/\b(linnet|process|nodejs)_\w+/g)
      const names = new Set(asked?.map(name => name.replace(/_bucket$/, '')))
      expect([...known, ...onDisk]).toEqual(expect.arrayContaining([...names]))
    }
    const documented = readFileSync('docs/metrics.md', 'utf8').match(
      /`(linnet|process|nodejs)_\w+`/g,
    )
    expect(documented?.map(name => name.slice(1, -1)).sort()).toEqual([...known, ...onDisk].sort())
  })
})

it('counts nothing while nobody wants to know', async () => {
  linnet = await boot([apiKeys])
  await linnet.visit(await linnet.create())
  linnet = await linnet.restart([metrics])
  expect(await numbers()).toMatchObject({ [answered('redirected')]: 0 })
})
