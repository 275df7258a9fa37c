import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { root, temporaryFolder } from '../e2e/program.ts'
import { browser, createLink, serve, token } from '../e2e/server.ts'
import { documentWith, freePorts, keepRunning, run, withPrograms } from './programs.ts'

const rules = join(root, 'docs/deploy/prometheus')

withPrograms('promtool')('promtool accepts the alerts, which go off when they should', () => {
  expect(run('promtool', ['check', 'rules', join(rules, 'alerts.yml')])).toContain('SUCCESS')
  expect(run('promtool', ['test', 'rules', join(rules, 'alerts.test.yml')])).toContain('SUCCESS')
})

withPrograms('prometheus', 'promtool')(
  'Prometheus fetches what the dashboard of Grafana shows',
  async () => {
    const server = await serve()
    const switched = await server.api('PATCH', '/admin/plugins/developer.metrics', {
      enabled: true,
    })
    expect(switched.status).toBe(200)
    const { shortCode } = await createLink(server)
    const visit = () => server.get(`/${shortCode}`, { 'user-agent': browser })
    // Only one in 64 redirects is timed.
    for (let number = 0; number < 200; number += 1) await visit()
    const { text } = await server.api('GET', '/metrics')
    run('promtool', ['check', 'metrics'], { input: text })

    const url = await startPrometheus(new URL(server.url).host)
    const expressions = expressionsOfTheDashboard()
    expect(expressions.length).toBeGreaterThan(10)
    for (const expression of expressions) {
      const series = async () => {
        await visit()
        return (await query(url, expression)).length
      }
      // No hook fails, so no hook has an error count.
      if (expression.startsWith('linnet_hook_failures')) expect(await series()).toBe(0)
      else await expect.poll(series, { message: expression }).toBeGreaterThan(0)
    }
    expect(await query(url, 'up{job="linnet"} == 1')).toHaveLength(1)
  },
)

/** Starts it with the configuration of the documentation, but with other paths and shorter intervals. */
async function startPrometheus(target: string): Promise<string> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'token'), token)
  const config = documentWith('deploy/prometheus/prometheus.yml', {
    'alerts.yml': join(rules, 'alerts.yml'),
    '/etc/prometheus/linnet-token': join(folder, 'token'),
    'localhost:8080': target,
    'scrape_interval: 30s': 'scrape_interval: 1s',
  })
  const file = join(folder, 'prometheus.yml')
  writeFileSync(file, config)
  run('promtool', ['check', 'config', file])
  const [port] = await freePorts(1)
  const address = `127.0.0.1:${port}`
  const storage = `--storage.tsdb.path=${join(folder, 'data')}`
  keepRunning('prometheus', [`--config.file=${file}`, storage, `--web.listen-address=${address}`])
  const ready = async () =>
    (await fetch(`http://${address}/-/ready`).catch(() => undefined))?.status ?? 0
  await expect.poll(ready).toBe(200)
  return `http://${address}`
}

interface Panel {
  readonly targets?: readonly { readonly expr: string }[]
}

function expressionsOfTheDashboard(): readonly string[] {
  const text = readFileSync(join(root, 'docs/deploy/grafana/linnet.json'), 'utf8')
  const { panels } = JSON.parse(text) as { readonly panels: readonly Panel[] }
  return panels.flatMap(({ targets = [] }) =>
    // Grafana fills these in.
    targets.map(it => it.expr.replaceAll('$job', 'linnet').replaceAll('$__rate_interval', '1m')),
  )
}

interface Answered {
  readonly status: string
  readonly data: { readonly result: readonly unknown[] }
}

async function query(url: string, expression: string): Promise<readonly unknown[]> {
  const answer = await fetch(`${url}/api/v1/query?${new URLSearchParams({ query: expression })}`)
  const body = (await answer.json()) as Answered
  if (body.status !== 'success') throw new Error(JSON.stringify(body))
  return body.data.result
}
