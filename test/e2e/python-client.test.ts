import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { describeApi } from '../../.ci/release/describe-api.mjs'
import { version } from '../../package.json'
import { itAtNight } from '../at-night.ts'
import { hostileAnswers, hostileServer } from '../remote/hostile-answers.ts'
import { hasOpenssl, untrustedServer } from '../remote/untrusted-server.ts'
import { root, temporaryFolder } from './program.ts'
import { serve, token } from './server.ts'
import { troubledProxy } from './unreliable-proxy.ts'

const run = promisify(execFile)

itAtNight(
  'is in a release, with what describes the API, calls it through all trouble, also awaited, does what docs/client.md shows, and is deceived by nothing',
  async ({ skip }) => {
    const folder = temporaryFolder()
    const python = join(folder, 'venv/bin/python')
    const make = run('python3', ['-m', 'venv', join(folder, 'venv')])
    await make.catch(() => skip('There is no python3.'))
    const install = run(python, ['-m', 'pip', 'install', 'httpx>=0.27,<1'])
    await install.catch(() => skip('pip does not get httpx here.'))
    expect(await describeApi(folder)).toBe(undefined)
    const server = await serve()
    const served = (await server.get('/api/v1/openapi.json')).body
    const written = JSON.parse(readFileSync(join(folder, 'linnet-openapi.json'), 'utf8'))
    expect(Object.keys(written.paths)).toEqual(expect.arrayContaining(Object.keys(served.paths)))

    const wheel = join(folder, `linnet_client-${version}-py3-none-any.whl`)
    await run(python, ['-m', 'pip', 'install', '--no-deps', '--no-index', wheel])
    const proxy = await troubledProxy(server)
    const env = {
      ...{ LINNET_URL: server.url, LINNET_TOKEN: token, LINNET_TROUBLE: proxy },
      ...(hasOpenssl && { LINNET_UNTRUSTED: await untrustedServer() }),
    }
    const { stdout } = await run(python, [join(root, 'test/smoke/try_client.py')], { env })
    expect(stdout).toBe('All is as it should be.\n')

    const page = readFileSync(join(root, 'docs/client.md'), 'utf8')
    const [, example = ''] = /^```python\n(.*?)^```$/ms.exec(page) ?? []
    const program = [
      'import asyncio, os',
      'token = os.environ["LINNET_TOKEN"]',
      'async def example():',
      ...example
        .replaceAll('https://go.example.org', server.url)
        .split('\n')
        .map(it => `  ${it}`),
      '  print(len([it for it in links if it["title"] == "Spring sale"]))',
      'asyncio.run(example())',
    ].join('\n')
    const shown = await run(python, ['-c', program], { env })
    expect(shown.stdout).toMatch(/\/spring 0\n(?:.*\n)*1\n$/)

    const hostile = await hostileServer()
    const endings = Object.entries(hostileAnswers).map(([name, { ends }], place) => [
      name,
      [`${hostile}/${place}`, [ends].flat()],
    ])
    const tried = await run(python, [join(root, 'test/smoke/try_hostile.py')], {
      env: { LINNET_HOSTILE: JSON.stringify(Object.fromEntries(endings)) },
    })
    expect(tried.stdout).toBe('All is as it should be.\n')
  },
)
