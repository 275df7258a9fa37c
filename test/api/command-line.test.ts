import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import jsQR from 'jsqr'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definePlugin, text } from '../../core/plugin.ts'
import { itAtNight } from '../at-night.ts'
import { boot, type Harness } from '../harness.ts'
import { elsewhere } from '../remote/terminal.ts'
import { fetchOf } from './client-of.ts'
import { plugins } from './whole-instance.ts'

const url = 'https://go.example.org'
const HOME = mkdtempSync(join(tmpdir(), 'linnet-home-'))

/** As somebody else may write one. */
const mood = definePlugin({
  feature: 'test.mood',
  about: 'Give links a mood.',
  fields: { mood: text({ label: 'Mood', hint: 'How the link feels.' }) },
})

let server: Harness
let token: string

/** Runs a command, on a machine where nobody has logged in unless a test did. */
function linnet(words: string, typed: Parameters<typeof elsewhere>[1] = {}) {
  const env = { HOME, LINNET_URL: url, LINNET_TOKEN: token }
  return elsewhere(words, { env, fetch: fetchOf(server), ...typed })
}

/** What a command with `--json` says. */
async function json(words: string) {
  const { code, stdout, stderr } = await linnet(`${words} --json`)
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

beforeAll(async () => {
  server = await boot([...plugins, mood], { filesFolder: join(HOME, 'files') })
  const { body } = await server.api('POST', '/api-tokens', { name: 'Shell', scopes: ['*'] })
  token = body.data.token
})
afterAll(async () => {
  await server.stop()
  rmSync(HOME, { recursive: true })
})

describe('commands for a server elsewhere', () => {
  it('log in once, keep the token where only its owner reads it, and forget it', async () => {
    const env = { HOME: join(HOME, 'ada') }
    const at = (words: string, stdin?: string) =>
      linnet(words, { env, ...(stdin !== undefined && { stdin }) })
    const wrong = await at(`login ${url}`, 'lnt_wrong\n')
    expect(wrong).toMatchObject({ code: 77, stdout: '' })
    expect(wrong.stderr).toContain('The token is not valid.')
    expect((await at('links')).stderr).toContain('Log in first')

    const file = join(env.HOME, '.config/linnet/servers.json')
    const said = await at(`login go.example.org --name work`, `${token}\n`)
    expect(said).toMatchObject({ code: 0, stdout: '' })
    expect(said.stderr).toMatch(/^Logged in to work as ada@.+ The token is in .+servers\.json\.$/m)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await at('links')).code).toBe(0)
    await at(`login ${url} --name home`, token)
    expect(JSON.parse((await at('servers --json')).stdout)).toEqual([
      { name: 'work', url, current: false, token: 'file' },
      { name: 'home', url, current: true, token: 'file' },
    ])
    expect((await at('complete links list --server h')).stdout).toBe(`home\t${url}\n`)
    await at('servers use work')
    expect((await at('links --server hom')).stderr).toBe(
      'There is no server hom here. Did you mean home?\n',
    )
    expect((await at('logout home')).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toContain('"current": "work"')
    expect((await at('logout')).code).toBe(0)
    expect(existsSync(file)).toBe(false)
  })

  it('keep the token in the keyring, if a program can ask it', async () => {
    const home = join(HOME, 'keyring')
    const secrets = join(home, 'secrets')
    mkdirSync(secrets, { recursive: true })
    // What the real one does, with a folder in place of the keyring.
    const program = `#!/bin/sh
last=$(eval "echo \\"\\$$#\\"")
case $1 in
  store) cat > ${secrets}/$last ;;
  lookup) cat ${secrets}/$last ;;
  clear) rm ${secrets}/$last ;;
esac`
    writeFileSync(join(home, 'secret-tool'), program, { mode: 0o700 })
    const env = {
      HOME: home,
      PATH: `${home}:${process.env.PATH}`,
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere',
    }
    const said = await linnet(`login ${url} --name work`, { env, stdin: token })
    expect(said.stderr).toContain('The token is in the keyring, by secret-tool.')
    const file = join(home, '.config/linnet/servers.json')
    expect(readFileSync(file, 'utf8')).not.toContain(token)
    expect(readFileSync(join(secrets, 'work'), 'utf8')).toBe(token)
    expect((await linnet('tags', { env })).code).toBe(0)
    expect((await linnet('logout', { env })).code).toBe(0)
    expect(readdirSync(secrets)).toEqual([])
  })

  it('keep the token in the keychain of macOS, where its arguments show nobody what it is', async () => {
    const home = join(HOME, 'keychain')
    const secrets = join(home, 'secrets')
    mkdirSync(secrets, { recursive: true })
    // As `security -i` of macOS: it reads commands with quoted words, prints a password alone, and ends with 44 if there is none.
    const program = `#!/bin/bash
[ "$*" = -i ] || exit 2
read -r line
eval "set -- $line"
verb=$1; shift
while [ $# -gt 0 ]; do
  case $1 in
    -s) shift ;;
    -a) name=$2; shift ;;
    -w) secret=$2; [ $# -gt 1 ] && shift ;;
  esac
  shift
done
case $verb in
  add-generic-password) printf %s "$secret" > ${secrets}/$name ;;
  find-generic-password) [ -f ${secrets}/$name ] || exit 44; cat ${secrets}/$name; echo ;;
  delete-generic-password) rm ${secrets}/$name ;;
esac`
    writeFileSync(join(home, 'security'), program, { mode: 0o700 })
    const env = { HOME: home, PATH: `${home}:${process.env.PATH}` }
    const { platform } = process
    Object.defineProperty(process, 'platform', { value: 'darwin' })
    try {
      const said = await linnet(`login ${url} --name work --json`, { env, stdin: token })
      expect(JSON.parse(said.stdout)).toMatchObject({ name: 'work', url })
      expect(said.stderr).toContain('The token is in the keyring, by security.')
      expect(readFileSync(join(secrets, 'work'), 'utf8')).toBe(token)
      const file = join(home, '.config/linnet/servers.json')
      expect(readFileSync(file, 'utf8')).not.toContain(token)
      expect((await linnet('tags', { env })).code).toBe(0)
      expect((await linnet('logout', { env })).code).toBe(0)
      expect(readdirSync(secrets)).toEqual([])
    } finally {
      Object.defineProperty(process, 'platform', { value: platform })
    }
  })

  it.each([
    ['links show no-such-link', 1, 'You have no link no-such-link', null],
    ['links create nonsense', 1, 'original-url: ', 'validation_failed'],
    ['links list --colour red', 1, "unknown option '--colour'", null],
    [
      'links create https://example.com/ --domain nobody.example',
      1,
      'domain: ',
      'validation_failed',
    ],
    [
      'links create https://example.com/ --body @/no/such/file',
      1,
      '/no/such/file does not exist',
      null,
    ],
    ['login nowhere://', 1, '"nowhere://" is not the address of a server.', null],
    ['servers use', 1, 'Type: linnet servers use <name>', null],
    ['nonsense', 1, `${url} has no command nonsense.`, null],
  ])('with --json say as JSON what went wrong with: %s', async (words, exit, message, code) => {
    const asked = words === 'nonsense' ? 'remote nonsense' : words
    const said = await linnet(`${asked} --json`)
    expect(said).toMatchObject({ code: exit, stdout: '' })
    const { problem, ...told } = JSON.parse(said.stderr)
    expect(told).toEqual({ message: expect.stringContaining(message), exit })
    expect(problem?.code ?? null).toBe(code)
    // Without it, people read the same as text.
    expect((await linnet(asked)).stderr).toContain(message)
  })

  it('have no column that nothing has, and say which there are', async () => {
    await linnet('links create https://example.com/columns')
    expect((await linnet('links --columns shortUrl,campaign.name')).code).toBe(0)
    const said = await linnet('links --columns shortUrl,visits.totl')
    expect(said).toMatchObject({ code: 1, stdout: '' })
    expect(said.stderr).toMatch(/^There is no column visits\.totl\. .*shortUrl/)
    expect((await linnet('profile --columns nope')).stderr).toContain('There is no column nope.')
  })

  it('create, list, show, edit and delete a link by what people call it', async () => {
    const made = await linnet(
      'links create https://example.com/spring --short-code spring --utm.source news --expires-at 2030-12-24T18:00:00Z',
    )
    expect(made).toEqual({ code: 0, stdout: `${url}/spring\n`, stderr: '' })
    const link = await json('links show spring')
    expect(link).toMatchObject({
      originalUrl: 'https://example.com/spring?utm_source=news',
      expiresAt: '2030-12-24T18:00:00.000Z',
    })
    for (const name of [`${url}/spring`, 'go.example.org/spring', link.id]) {
      expect((await json(`show ${name}`)).id).toBe(link.id)
    }
    const edited = await json('links edit spring --no-expires-at --title Spring --archived')
    expect(edited).toMatchObject({ expiresAt: null, title: 'Spring', archived: true })
    expect(await json('edit spring --no-archived')).toMatchObject({ archived: false })
    const listed = await linnet('links --search spring --columns shortCode,visits.total,title')
    expect(listed.stdout).toBe('spring\t0\tSpring\n')

    const unsure = await linnet('links delete spring')
    expect(unsure).toMatchObject({ code: 1, stdout: '' })
    expect(unsure.stderr).toBe('Delete a link and its visits: spring? Add --yes.\n')
    const tried = await linnet('links delete spring --dry-run')
    expect(tried).toMatchObject({ code: 0, stderr: 'It was only tried: nothing was changed.\n' })
    expect(await json('links delete spring --yes')).toBe(null)
    const gone = await linnet('links show spring')
    expect(gone).toMatchObject({ code: 1, stdout: '' })
    expect(gone.stderr).toContain('You have no link spring.')
  })

  it('say what is wrong with each option, as it is typed', async () => {
    const said = await linnet('links create nonsense --max-visits 0')
    expect(said).toMatchObject({ code: 1, stdout: '' })
    expect(said.stderr).toMatch(/^original-url: .+\nmax-visits: .+\n$/)
    const many = await linnet('links edit spring --max-visits many')
    expect(many.stderr).toBe('--max-visits is "many": enter a number.\n')
    const json = await linnet('links create https://example.com --dynamic-routing {')
    expect(json.stderr).toContain('--dynamic-routing has no valid JSON')
    expect((await linnet('links create https://example.com --titel x')).stderr).toContain(
      '(Did you mean --title?)',
    )
    expect((await linnet('links lits')).stderr).toBe(
      'linnet links has no command lits. Did you mean list?\n',
    )
  })

  it('have what a plugin adds, with its help, and not what is off', async () => {
    const help = await linnet('links create --help')
    expect(help.stdout).toMatch(/--mood <text> +Mood\. How the link feels\./)
    await linnet('links create https://example.com/m --short-code moody --mood happy')
    expect(await json('links show moody')).toMatchObject({ mood: 'happy' })
    const groups = await linnet('remote')
    expect(groups.stdout).toMatch(/^ {2}campaigns +(\w+, )*create, /m)
  })

  it('take tags and campaigns by name, and everything else by what it is called', async () => {
    await linnet('tags create Sale --color #2F9E44')
    await linnet('campaigns create Launch')
    await linnet(
      'links create https://example.com/t --short-code tagged --tags sale --campaign launch',
    )
    expect(await json('links show tagged')).toMatchObject({
      tags: [{ name: 'Sale' }],
      campaign: { name: 'Launch' },
    })
    expect(await json('links list --tags sale')).toHaveLength(1)
    expect(await json('tags edit sale --name Outlet')).toMatchObject({ name: 'Outlet' })
    expect((await linnet('links list --tags none')).stderr).toBe(
      'There is no none among the tags.\n',
    )
    expect(await json('tags delete outlet --yes')).toBe(null)
    expect(await json('tags')).toEqual([])
    const { token: made } = await json('tokens create ci links:write')
    expect(made).toMatch(/^lnt_/)
    await linnet('tokens revoke ci --yes')
    expect((await json('tokens')).map((it: { name: string }) => it.name)).toEqual(['Shell'])
    const [account] = await json('accounts')
    expect(await json(`accounts show ${account.email.toUpperCase()}`)).toMatchObject({
      id: account.id,
      isAdmin: true,
    })
    expect((await linnet('accounts show nobody')).stderr).toBe(
      'There is no nobody among the accounts.\n',
    )
    expect((await json('jobs run links.forgetDeleted')).name).toBe('links.forgetDeleted')
  })

  it('make a link of each line, as often as they are sent, once', async () => {
    const stdin = 'https://a.example/1\r\n\n{"original_url": "https://a.example/2", "title": "2"}\n'
    const first = await linnet('links create', { stdin })
    expect(first).toMatchObject({ code: 0, stderr: '2 lines: 2 done, 0 refused.\n' })
    const longer = await linnet('links create', { stdin: `https://a.example/0\n${stdin}` })
    expect(longer.stdout.split('\n').slice(1)).toEqual(first.stdout.split('\n'))
    expect(await json('links list --search a.example')).toHaveLength(3)
    const names = await linnet('tags create', { stdin: 'One\nTwo\nOne\n' })
    expect(names).toMatchObject({ code: 1 })
    expect(names.stderr).toMatch(/^Line 3: .+\n3 lines: 2 done, 1 refused\.\n$/)
    const again = await linnet('tags create', { stdin: 'One\nTwo\n' })
    expect(again).toMatchObject({ code: 0, stdout: `${names.stdout}` })
  })

  it('make or change the link that another program calls by an id', async () => {
    const line = (title: string) =>
      `{"external_id": "crm/7", "original_url": "https://crm.example/7", "title": "${title}"}\n`
    const first = await linnet('links create', { stdin: line('One') })
    expect(first).toMatchObject({ code: 0, stderr: '1 line: 1 done, 0 refused.\n' })
    expect(await linnet('links create', { stdin: line('Two') })).toEqual(first)
    expect(await json('links list --search crm.example')).toMatchObject([
      { title: 'Two', externalId: 'crm/7' },
    ])
  })

  it('draw a code that cameras read, and write it to files', async () => {
    await linnet('links create https://example.com/q --short-code qr1')
    const drawn = await linnet('qr qr1', { columns: 80 })
    expect(read(drawn.stdout)).toBe(`${url}/qr1?qr`)
    const file = join(HOME, 'code.png')
    expect((await linnet(`qr qr1 --output ${file}`)).stderr).toBe(`It is in ${file} now.\n`)
    expect(await linnet('qr qr1 --output code.jpg')).toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr: expect.stringMatching(
        /^Name a file that ends with \.\w+ or \.\w+, or choose with --format\.\n/,
      ),
    })
    expect(readFileSync(file).subarray(1, 4).toString()).toBe('PNG')
    expect((await linnet('qr qr1')).stdout).toMatch(/^<svg /)
    const narrow = await linnet('qr qr1', { columns: 30 })
    expect(narrow).toMatchObject({ code: 1, stdout: '' })
    expect(narrow.stderr).toContain('This terminal is too narrow')
  })

  it('show tables that fit a terminal', async () => {
    const title = 'Ein Titel 春春春春春春春春春春春春春春春春春春春春'
    await server.api('POST', '/links', {
      original_url: 'https://example.com/w',
      short_code: 'w1',
      title,
    })
    const { stdout } = await linnet('links list --search w1', { columns: 72 })
    const [heading, row = ''] = stdout.split('\n')
    expect(heading).toMatch(/^short url +original url +title$/)
    expect(row).toMatch(/^https:\/\/go\.example\.org\/w1 {2}.+Ein Titel 春+…$/)
    expect([...row].length + [...row].filter(it => it === '春').length).toBeLessThanOrEqual(72)
  })

  it('chart visits over time, and the most frequent values', async () => {
    await linnet('links create https://example.com/v --short-code v1')
    for (let visit = 0; visit < 3; visit += 1) await server.visit('v1')
    const stats = async () => (await linnet('stats v1 --interval 7d', { columns: 80 })).stdout
    await expect.poll(stats).toMatch(/^totals visits +3$/m)
    expect(await stats()).toMatch(/visits over time\n +3 +█+\n/)
    const url = 'https://example.com/?utm_source=news'
    await linnet(`links create ${url} --short-code v2`)
    await server.visit('v2')
    const sources = async () => (await linnet('stats', { columns: 80 })).stdout
    await expect
      .poll(sources)
      .toMatch(/utm source\nNone +3 +75\.0 % {2}█+\nnews +1 +25\.0 % {2}█+\n/)
  })

  it('export links, and import them', async () => {
    const file = join(HOME, 'links.jsonl')
    expect((await linnet(`links export --output ${file}`)).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toMatch(/^\{/)
    const kept = await linnet(`links import ${file} --source linnet`)
    expect(kept).toMatchObject({ code: 0, stderr: '' })
    expect(kept.stdout).toMatch(/^0 links came .+ were here already, 0 were refused/)
    writeFileSync(file, '{nonsense\n')
    const wrong = await linnet(`links import ${file}`)
    expect(wrong.code).toBe(1)
    expect((await linnet('links import nothing.jsonl')).code).toBe(1)
  })

  it('complete commands, options and values without asking the server', async () => {
    await linnet('remote')
    const words = async (...typed: string[]) => {
      const fetch = () => Promise.reject(new Error('it asked'))
      const said = await elsewhere(['complete', ...typed], {
        env: { HOME, LINNET_URL: url, LINNET_TOKEN: token },
        fetch,
      })
      return said.stdout.split('\n').map(line => line.split('\t')[0])
    }
    expect(await words('camp')).toEqual(['campaigns', ''])
    expect(await words('links', 'cr')).toEqual(['create', ''])
    expect(await words('links', 'create', '--moo')).toEqual(['--mood', ''])
    expect(await words('q')).toContain('qr')
    expect(await words('tok')).toEqual(['token', 'tokens', ''])
    expect(await words('links', 'list', '--tags-mode', '')).toEqual(['any', 'all', ''])
  })

  itAtNight('are there for every operation, each with options that can be told apart', async () => {
    await linnet('remote')
    const fetch = () => Promise.reject(new Error('it asked'))
    const env = { HOME, LINNET_URL: url, LINNET_TOKEN: token }
    const next = async (...typed: string[]) => {
      const said = await elsewhere(['complete', 'remote', ...typed], { env, fetch })
      expect(said.code, said.stderr).toBe(0)
      return said.stdout
        .split('\n')
        .slice(0, -1)
        .map(line => line.split('\t')[0] ?? '')
    }
    let commands = 0
    const walk = async (words: readonly string[]): Promise<void> => {
      const options = await next(...words, '--')
      if (options.includes('--server')) commands += 1
      expect(new Set(options).size, words.join(' ')).toBe(options.length)
      for (const word of await next(...words, '')) await walk([...words, word])
    }
    for (const group of await next('')) await walk([group])
    expect(commands).toBeGreaterThan(180)
  })

  it('take a whole body from a file, and show as many rows as somebody wants', async () => {
    const file = join(HOME, 'link.json')
    writeFileSync(file, '{"original_url": "https://b.example/", "password": "open sesame"}')
    const made = await linnet(`links create --body @${file} --title Body`)
    expect(made).toMatchObject({ code: 0, stderr: '' })
    const [link] = await json('links list --search b.example')
    expect(link).toMatchObject({ title: 'Body', hasPassword: true })
    const first = await linnet('links list --limit 1 --columns id')
    expect(first.stdout.split('\n')).toHaveLength(2)
    expect(first.stderr).toMatch(/^These are 1 of \d+: --all shows all of them\.\n$/)
    expect((await linnet('links list --all --json')).stderr).toBe('')
    expect((await linnet('links list --limit 0')).stderr).toContain('--limit is "0"')
  })

  it('print the page of a link in the dashboard', async () => {
    await linnet('links create https://example.com/o --short-code o1')
    const { id } = await json('links show o1')
    const { stdout } = await linnet('open o1 --print')
    expect(stdout).toBe(`${url}/dashboard/links/${id}\n`)
  })
})

/** What a camera reads in lines that a terminal shows. */
function read(drawn: string): string | undefined {
  const lines = stripVTControlCharacters(drawn)
    .trimEnd()
    .split('\n')
    .map(it => it.split(''))
  const [dark, scale] = [{ '█': [1, 1], '▀': [1, 0], '▄': [0, 1] } as Record<string, number[]>, 4]
  const rows = lines.flatMap(line => [0, 1].map(half => line.map(it => dark[it]?.[half] ?? 0)))
  const width = (rows[0]?.length ?? 0) * scale
  const pixels = rows.flatMap(row =>
    Array.from({ length: scale }, () => row.flatMap(it => Array(scale).fill(it))).flat(),
  )
  const data = pixels.flatMap(it => [it ? 0 : 255, it ? 0 : 255, it ? 0 : 255, 255])
  return jsQR(Uint8ClampedArray.from(data), width, pixels.length / width)?.data
}
