import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { Linnet } from '../../client/linnet.ts'
import { itAtNight } from '../at-night.ts'
import { builtProgram, linnet, root, start, temporaryFolder } from './program.ts'
import { type Server, serve, token } from './server.ts'
import { unreliableProxy } from './unreliable-proxy.ts'

/** As a machine of somebody who uses a server elsewhere: there is no data folder. */
function machineFor({ url }: Pick<Server, 'url'>) {
  const HOME = temporaryFolder()
  return {
    env: { HOME, LINNET_URL: url, LINNET_TOKEN: token, LINNET_DATA_DIR: join(HOME, 'none') },
  }
}

itAtNight(
  'makes each link once, though Ctrl-C ends the command in the middle and it is run again',
  async () => {
    const server = await serve()
    const { env } = machineFor(server)
    const count = 200
    const stdin = Array.from({ length: count }, (_, it) => `https://a.example/${it}\n`).join('')
    const first = start(['links', 'create'], { env, stdin })
    const stderr = text(first.child.stderr)
    let printed = 0
    for await (const _ of createInterface({ input: first.child.stdout })) {
      printed += 1
      if (printed === 20) first.child.kill('SIGINT')
    }
    expect(await first.exit).toEqual({ code: 130, signal: null })
    expect(printed).toBeLessThan(count)
    expect(await stderr).toContain(`Stopped: ${printed} lines: ${printed} done, 0 refused.`)

    // None of the packages is there that a server loads.
    const folder = temporaryFolder()
    cpSync(dirname(builtProgram), join(folder, 'dist'), { recursive: true })
    const program = join(folder, 'dist/main.js')
    const again = await linnet(['links', 'create'], { env, stdin, program })
    expect(again).toMatchObject({ code: 0, stderr: `${count} lines: ${count} done, 0 refused.\n` })
    const { body } = await server.api('GET', '/links?per_page=1')
    expect(body.meta.total).toBe(count)
  },
)

itAtNight(
  'makes each of 10,000 links once, though every seventh request meets trouble and Ctrl-C ends the command in the middle',
  async () => {
    const server = await serve()
    const kinds = ['limited', 'lost-before', 'unavailable', 'lost-after', 'cut'] as const
    const url = await unreliableProxy(
      () => server.url,
      count => (count % 7 === 1 && kinds[Math.floor(count / 7) % kinds.length]) || 'none',
    )
    const { env } = machineFor({ url })
    const count = 10_000
    const stdin = Array.from({ length: count }, (_, it) => `https://a.example/${it}\n`).join('')
    const first = start(['links', 'create'], { env, stdin })
    const stderr = text(first.child.stderr)
    let printed = 0
    for await (const _ of createInterface({ input: first.child.stdout })) {
      printed += 1
      if (printed === 500) first.child.kill('SIGINT')
    }
    expect(await first.exit).toEqual({ code: 130, signal: null })
    expect(await stderr).toContain(`${toldOf(printed)} done, 0 refused. All others were not sent`)

    const again = await linnet(['links', 'create'], { env, stdin })
    expect(again).toMatchObject({ code: 0, stderr: `${toldOf(count)} done, 0 refused.\n` })
    const urls = new Set<string>()
    let made = 0
    for await (const { originalUrl } of new Linnet({ url: server.url, token }).links.list()) {
      urls.add(originalUrl)
      made += 1
    }
    expect([made, urls.size]).toEqual([count, count])
  },
)

const toldOf = (count: number) =>
  `${count.toLocaleString('en-US')} lines: ${count.toLocaleString('en-US')}`

itAtNight('does what docs/command-line.md says, command by command', async () => {
  const server = await serve()
  const home = temporaryFolder()
  writeFileSync(join(home, 'token.txt'), `${token}\n`)
  writeFileSync(
    join(home, 'linnet'),
    `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(builtProgram)} "$@"\n`,
  )
  chmodSync(join(home, 'linnet'), 0o700)
  const page = readFileSync(join(root, 'docs/command-line.md'), 'utf8')
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
  expect(blocks.length).toBeGreaterThan(7)
  const run = (script: string) =>
    execFileSync('bash', ['-eo', 'pipefail', '-c', script], {
      cwd: home,
      encoding: 'utf8',
      stdio: 'pipe',
      // The first login asks for the token.
      input: token,
      env: { HOME: home, PATH: `${home}:${process.env.PATH}` },
    })
  const printed = blocks.map(block => run(block.replaceAll('https://go.example.org', server.url)))
  expect(printed[0]).toContain(`${server.url}/spring\n`)
  expect(printed.join('')).toMatch(/^complete -o|Usage: linnet remote/m)
  expect(readFileSync(join(home, 'code.png')).subarray(1, 4).toString()).toBe('PNG')
  expect(JSON.parse(readFileSync(join(home, 'links.json'), 'utf8')).length).toBeGreaterThan(3)
})
