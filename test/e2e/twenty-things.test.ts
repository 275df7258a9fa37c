import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished } from 'vitest'
import { type Link, Linnet } from '../../client/linnet.ts'
import { itAtNight } from '../at-night.ts'
import { elsewhere } from '../remote/terminal.ts'
import { root, temporaryFolder } from './program.ts'
import { serve, token } from './server.ts'

const page = readFileSync(join(root, 'docs/api.md'), 'utf8')
const [, start = ''] = /^```sh\n(export LINNET_URL.*?)^```$/ms.exec(page) ?? []
const things = [
  ...page.matchAll(
    /^\*\*\d+\. ([^\n]+)\*\*\n\n```sh\n(.*?)^```\n\n```ts\n(.*?)^```\n\n```sh\n(.*?)^```$/gms,
  ),
]
const column = (place: number) => things.map(it => it[place]).join('\n')

itAtNight(
  'does twenty things as docs/api.md says, in each of three ways, with the same effect',
  async () => {
    expect(things).toHaveLength(20)
    const server = await serve()
    const linnet = new Linnet({ url: server.url, token })
    const folder = temporaryFolder()
    const before = process.cwd()
    process.chdir(folder)
    onTestFinished(() => process.chdir(before))

    await bash(server.url, start.replace(/^export .*\n/, '') + column(2))
    const byCurl = await takeAway(linnet)
    expect(byCurl).toMatchObject({
      tags: ['Newsletter'],
      tokens: ['LINNET_BOOTSTRAP_TOKEN'],
      links: [{}, {}, {}].map(() => expect.stringContaining('"originalUrl":"https://example.com/')),
    })

    const program = `return async (linnet, writeFile, console) => {\n${column(3)}}`
    await new Function(program)()(linnet, writeFile, { log: () => undefined })
    expect(await takeAway(linnet)).toEqual(byCurl)
    const picture = readFileSync(join(folder, 'spring.png'))

    const port = await commandLine(server.url)
    await bash(server.url, functionOf(port) + column(4))
    expect(await takeAway(linnet)).toEqual(byCurl)
    expect(readFileSync(join(folder, 'spring.png'))).toEqual(picture)
    expect(readFileSync(join(folder, 'everything.jsonl'), 'utf8')).toContain('"spring"')
  },
)

/** What there is, without what no two have alike, and then is no more, so that it can be made again. */
async function takeAway(linnet: Linnet) {
  const made = {
    links: (await Array.fromAsync(linnet.links.list(), what)).sort(),
    tags: await Array.fromAsync(linnet.tags.list(), ({ name }) => name),
    tokens: await Array.fromAsync(linnet.apiTokens.list(), ({ name }) => name),
    domains: await Array.fromAsync(linnet.domains.list(), ({ host }) => host),
    webhooks: await Array.fromAsync(linnet.webhooks.list(), ({ url, events }) => [url, events]),
    accounts: await Array.fromAsync(linnet.accounts.list(), ({ email }) => email),
  }
  for await (const { id } of linnet.links.list()) await linnet.links.delete(id)
  for await (const { id } of linnet.tags.list()) await linnet.tags.delete(id)
  for await (const { id } of linnet.domains.list()) await linnet.domains.delete(id)
  for await (const { id } of linnet.webhooks.list()) await linnet.webhooks.delete(id)
  for await (const { id, isAdmin } of linnet.accounts.list()) {
    if (!isAdmin) await linnet.accounts.delete(id)
  }
  return made
}

/** A link without its id and moments, and without a code that nobody chose. */
function what({ shortCode, originalUrl, title, expiresAt, maxVisits, dynamicRouting, tags }: Link) {
  const names = tags.map(({ name }) => name)
  const chosen = shortCode === 'spring'
  return JSON.stringify({ originalUrl, chosen, title, expiresAt, maxVisits, dynamicRouting, names })
}

const run = promisify(execFile)

async function bash(url: string, script: string): Promise<string> {
  const env = { ...process.env, LINNET_URL: url, LINNET_TOKEN: token }
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { env })
  return stdout
}

/** A server that runs commands in this process: twenty processes would take seconds. */
async function commandLine(url: string): Promise<number> {
  const env = { HOME: temporaryFolder(), LINNET_URL: url, LINNET_TOKEN: token }
  const commands = createServer(async (request, answer) => {
    const words = Buffer.from(String(request.headers.words), 'base64').toString().split('\0')
    let stdin = ''
    for await (const chunk of request) stdin += chunk
    const typed = { env, ...(stdin && { stdin }) }
    const { code, stdout, stderr } = await elsewhere(words.slice(0, -1), typed)
    answer.writeHead(code === 0 ? 200 : 400).end(code === 0 ? stdout : `${words}: ${stderr}`)
  })
  await new Promise<void>(resolve => commands.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    commands.close()
  })
  return (commands.address() as AddressInfo).port
}

function functionOf(port: number): string {
  return `linnet() {
    local words=$(printf '%s\\0' "$@" | base64 --wrap=0) typed=
    if [ -p /dev/stdin ]; then typed=$(cat); fi
    curl --silent --fail-with-body --header "words: $words" --data-binary "$typed" 127.0.0.1:${port}
  }\n`
}
