import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { firstOf, itAtNight } from '../at-night.ts'
import { holdPort, openSqlite } from '../inside.ts'
import { builtProgram, linnet, setUp, start, temporaryFolder } from './program.ts'
import { admin, serve, serverEnv } from './server.ts'

const password = 'correct horse'

describe('the doctor', () => {
  itAtNight(
    'looks at an instance whether it runs or not, and fails when it finds a problem',
    async () => {
      const dataDir = temporaryFolder()
      const env = serverEnv(dataDir)
      mkdirSync(join(dataDir, 'plugins'), { recursive: true })
      writeFileSync(join(dataDir, 'plugins', 'key.js'), keyThatEnds)
      const fresh = await linnet(['doctor'], { env })
      expect(fresh).toMatchObject({ code: 0, stderr: '' })
      expect(fresh.stdout).toMatch(/^ok +database +There is none/m)
      expect(fresh.stdout).toMatch(/^ok +port +No server is running/m)

      const server = await serve({ dataDir })
      const { port } = new URL(server.url)
      const asked = { ...env, LINNET_PORT: port, LINNET_BASE_URL: server.url }
      const well = await linnet(['doctor'], { env: asked })
      expect(well.stdout).toMatch(/^ok +database .+ It is not damaged\.$/m)
      expect(well.stdout).toMatch(/^ok +jobs +The server reports no problems/m)
      expect(well.stdout).toMatch(/^ok +proxies +This request came from 127\.0\.0\.1/m)
      expect(well.stdout).toMatch(/^warning +acme\.key +The key ends soon\.\n +-> Renew it\.$/m)
      const { body } = await server.api('GET', '/api-tokens')
      expect(body.data.map(({ name }: { name: string }) => name)).not.toContain('linnet doctor')
      const elsewhere = { ...asked, LINNET_DATA_DIR: temporaryFolder() }
      const other = await linnet(['doctor'], { env: elsewhere })
      expect(other).toMatchObject({ code: 0, stderr: '' })
      expect(other.stdout).toMatch(/^warning +port +.+ has its data elsewhere/m)
      const { holder, port: silent } = await holdPort('127.0.0.1')
      const unreached = { ...asked, LINNET_BASE_URL: `http://127.0.0.1:${silent}` }
      const { stdout } = await linnet(['doctor'], { env: unreached })
      expect(stdout).toMatch(
        /^warning +proxies +The server could not be reached at .+: .*(other side|ECONNRESET)/m,
      )
      holder.close()
      const strange = await answering(asked)
      expect(strange).toEqual([
        expect.stringMatching(
          /redirects to https:\/\/go\.example\.org\.\n +-> .+LINNET_BASE_URL=https:/,
        ),
        expect.stringMatching(/what answers there is not Linnet, with 502 Bad Gateway\./),
        expect.stringMatching(/: the API token did not arrive\.\n +-> .+passes on Authorization/),
        expect.stringMatching(/: a Linnet answers there, but 403: Only admins\./),
      ])
      await server.kill('SIGTERM')

      const file = join(dataDir, 'linnet.db')
      const bytes = readFileSync(file)
      writeFileSync(file, bytes.fill(0x55, 4_096 * 8, 4_096 * 20))
      const ill = await linnet(['doctor'], { env: { ...asked, LINNET_PRT: '1' } })
      expect(ill).toMatchObject({ code: 1, stderr: '1 problem to solve.\n' })
      expect(ill.stdout).toMatch(/^problem +database .+ It is damaged/m)
      expect(ill.stdout).toMatch(/^warning +settings +LINNET_PRT .+ did you mean LINNET_PORT/m)
    },
  )
})

const keyThatEnds = `
import { definePlugin } from 'linnet/plugin'

const keyEnds = { status: 'warning', says: 'The key ends soon.', remedy: 'Renew it.' }

export default definePlugin({
  feature: 'acme.key',
  about: 'Has a key.',
  unstable: { examine: () => [keyEnds] },
})
`

/** What the doctor says of proxies when each of these answers at the base URL. */
async function answering(env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const problem = (code: string, detail: string) => JSON.stringify({ code, detail })
  const answers = [
    { status: 301, location: 'https://go.example.org/api/v1/admin/doctor' },
    { status: 502, body: '<html>' },
    { status: 401, body: problem('unauthenticated', 'Send an API token.') },
    { status: 403, body: problem('insufficient_scope', 'Only admins.') },
  ]
  return Promise.all(
    answers.map(async ({ status, location, body }) => {
      const proxy = createServer((_, res) => {
        res.writeHead(status, location === undefined ? {} : { location }).end(body)
      }).listen(0, '127.0.0.1')
      await once(proxy, 'listening')
      const { port } = proxy.address() as AddressInfo
      const base = { LINNET_BASE_URL: `http://127.0.0.1:${port}` }
      const { stdout } = await linnet(['doctor'], { env: { ...env, ...base } })
      proxy.close()
      return /^warning +proxies .+\n.+/m.exec(stdout)?.[0] ?? stdout
    }),
  )
}

describe('the command line', () => {
  it('makes the first admin and a token, also while the server runs', async () => {
    const server = await serve({ admin: false })
    const env = { LINNET_DATA_DIR: server.dataDir }
    const setUp = ['setup', '--email', 'ada@example.org', '--name', 'Ada Lovelace']
    const made = await linnet(setUp, { env, stdin: `${password}\n` })
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(made.stdout).toContain('ada@example.org is the first admin.')
    expect(await linnet(setUp, { env, stdin: password })).toMatchObject({
      code: 1,
      stderr: 'There is already an admin. Sign in, or ask an admin to create the account.\n',
    })

    const create = ['token', 'create', '--account', 'ada@example.org', '--scopes', 'profile:read']
    const { code, stdout } = await linnet([...create, '--name', '  nightly '], { env })
    expect(code).toBe(0)
    const bearer = { authorization: `Bearer ${stdout.trim()}` }
    const profile = await server.api('GET', '/profile', undefined, bearer)
    expect(profile.body.data).toMatchObject({ fullName: 'Ada Lovelace', isAdmin: true })
    expect((await server.api('GET', '/links', undefined, bearer)).status).toBe(403)
    const every = await linnet(create.slice(0, 4), { env })
    const withAll = { authorization: `Bearer ${every.stdout.trim()}` }
    const { body } = await server.api('GET', '/api-tokens', undefined, withAll)
    const names = body.data.map(({ name }: { name: string }) => name)
    expect(names).toEqual(['command line', 'nightly'])
    const signIn = { email: 'ada@example.org', password }
    expect((await server.api('POST', '/session', signIn)).status).toBe(201)
  })

  itAtNight('says its version, the one that a running server tells its admins', async () => {
    const server = await serve()
    const { body } = await server.api('GET', '/admin/instance')
    const { code, stdout } = await linnet(['--version'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${body.data.version}\n` })
  })

  it('lets back in who forgot the password, and ends the sessions', async () => {
    const server = await serve()
    const signIn = (password: string) =>
      server.api('POST', '/session', { email: admin.email, password })
    const { headers } = await signIn(admin.password)
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
    const reset = ['account', 'password', admin.email.toUpperCase()]
    const { code, stdout } = await linnet(reset, {
      env: { LINNET_DATA_DIR: server.dataDir },
      stdin: 'difference engine\n',
    })
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `${admin.email} has a new password and is signed out everywhere.\n`,
    })
    expect((await server.get('/api/v1/profile', { cookie })).status).toBe(401)
    expect((await signIn(admin.password)).status).toBe(401)
    expect((await signIn('difference engine')).status).toBe(201)
  })

  it.each(
    firstOf(1, [
      ['nonsense', "unknown command 'nonsense'"],
      ['setup --email nobody', '--email cannot be used: Enter an e-mail address, such as'],
      ['setup --email ada@example.org', 'Enter a password of at least 12 characters.'],
      ['backup', 'There is no database in'],
    ]),
  )('answers "linnet %s" with a remedy and fails', async (args, remedy) => {
    const env = { LINNET_DATA_DIR: temporaryFolder() }
    const { code, stdout, stderr } = await linnet(args.split(' '), { env })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(remedy)
    expect(stderr).not.toMatch(/\n\s+at .*:\d+/)
  })

  it.each(
    firstOf(1, [
      ['setup --email ada@example.org', 'short'],
      ['setup --email nobody', ''],
      ['setup --email ada@example.org', 'password1234'],
    ]),
  )('makes no database with "linnet %s" that is refused, given "%s"', async (args, stdin) => {
    const folder = temporaryFolder()
    const env = { LINNET_DATA_DIR: join(folder, 'data') }
    expect(await linnet(args.split(' '), { env, stdin })).toMatchObject({ code: 1, stdout: '' })
    expect(readdirSync(folder)).toEqual([])
  })

  itAtNight('says which plugin there is not', async () => {
    const env = { LINNET_DATA_DIR: temporaryFolder() }
    await setUp(env.LINNET_DATA_DIR)
    for (const [command, remedy] of [
      ['plugins off link.passwordProtektion', 'did you mean link.passwordProtection?'],
      ['plugins on geoipupdate', 'did you mean analytics.geoipUpdates?'],
      ['plugins on link.visitsByCity', 'did you mean analytics.visitsByCity?'],
      ['plugins on nonsense', 'There is no plugin nonsense'],
    ] as const) {
      const { code, stdout, stderr } = await linnet(command.split(' '), { env })
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toContain(remedy)
    }
  })

  itAtNight('says how many accounts a plugin shuts out, and what lets one in', async () => {
    const dataDir = join(temporaryFolder(), 'data')
    const env = serverEnv(dataDir)
    await setUp(dataDir)
    const { db, close } = await openSqlite(join(dataDir, 'linnet.db'))
    const of = { account_id: 1, created_at: 0 }
    for (const feature of ['link.linkPreview', 'a.gone'])
      await db
        .insertInto('account_steps')
        .values({ ...of, feature })
        .execute()
    await close()
    const gone = join(dataDir, 'plugins', 'node_modules', 'gone')
    mkdirSync(gone, { recursive: true })
    const listed = { dependencies: { gone: '1.0.0' } }
    writeFileSync(join(dataDir, 'plugins', 'package.json'), JSON.stringify(listed))
    const about = { name: 'gone', version: '1.0.0', linnet: { plugin: '.', feature: 'a.gone' } }
    writeFileSync(join(gone, 'package.json'), JSON.stringify(about))
    for (const [command = '', feature = '', said = ''] of [
      ['off link.linkPreview', 'link.linkPreview', 'link.linkPreview is off.'],
      ['release link.linkPreview', 'link.linkPreview', '0 links released'],
      ['remove gone', 'a.gone', 'gone is removed.'],
    ]) {
      const { code, stdout } = await linnet(['plugins', ...command.split(' ')], { env })
      expect({ command, code }).toEqual({ command, code: 0 })
      expect(stdout).toContain(said)
      expect(stdout).toContain(
        `1 account cannot sign in while ${feature} does not run, because it asks the second step. To let one in without it: linnet account reset-second-factor EMAIL\n`,
      )
    }
    const { stdout } = await linnet(['plugins', 'on', 'link.linkPreview'], { env })
    expect(stdout).not.toContain('cannot sign in')
  })

  itAtNight('lets somebody in whose provider is down, where passwords are off', async () => {
    const server = await serve()
    const settings = { issuer: 'https://127.0.0.1:9', clientId: 'linnet', passwords: 'nobody' }
    const path = '/admin/plugins/organization.singleSignOn'
    expect((await server.api('PATCH', path, { enabled: true, settings })).status).toBe(200)
    const post = (path: string, body: object) =>
      fetch(`${server.url}/api/v1${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: server.url },
        body: JSON.stringify(body),
      })
    const { email, password } = admin
    expect((await post('/session', { email, password })).status).toBe(403)
    const env = { ...serverEnv(server.dataDir), LINNET_BASE_URL: server.url }
    const { stdout } = await linnet(['account', 'one-time-link', email], { env })
    const [, secret] = stdout.trim().split(`${server.url}/dashboard/one-time-link#`)
    const used = await post('/one-time-link/use', { secret, password: 'another good password' })
    expect(used.status).toBe(201)
  })

  itAtNight('suspends an account beside the server, with its links, and releases it', async () => {
    const server = await serve()
    const email = 'grace@example.org'
    const password = 'analytical engine'
    await server.api('POST', '/admin/accounts', { email, password })
    const signIn = async () =>
      (
        await fetch(`${server.url}/api/v1/session`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: server.url },
          body: JSON.stringify({ email, password }),
        })
      ).status
    const env = serverEnv(server.dataDir)
    const run = async (...words: string[]) => (await linnet(['account', ...words], { env })).stdout
    expect(await run('suspend', email)).toBe(`${email} is suspended, and its links go on.\n`)
    expect(await signIn()).toBe(403)
    expect(await run('suspend', email, '--close-links')).toBe(
      `${email} is suspended, and its links are closed.\n`,
    )
    expect(await run('release', email)).toBe(`${email} is released.\n`)
    expect(await run('release', email)).toBe(`${email} was not suspended.\n`)
    expect(await signIn()).toBe(201)
    const last = await linnet(['account', 'suspend', admin.email], { env })
    expect(last).toMatchObject({ code: 1, stderr: expect.stringContaining('the only admin') })
  })

  itAtNight('deletes an account beside the server, whose links another one has then', async () => {
    const server = await serve()
    const email = 'grace@example.org'
    const password = 'analytical engine'
    await server.api('POST', '/admin/accounts', { email, password })
    const env = serverEnv(server.dataDir)
    const scopes = ['--scopes', 'links:write,tags:write']
    const made = await linnet(['token', 'create', '--account', email, '--name', 'a', ...scopes], {
      env,
    })
    const asGrace = (path: string, body: object) =>
      fetch(`${server.url}/api/v1${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${/lnt_\S+/.exec(made.stdout)?.[0]}`,
        },
        body: JSON.stringify(body),
      })
    const { data: tag } = (await (await asGrace('/tags', { name: 'News' })).json()) as {
      readonly data: { readonly id: string }
    }
    const link = { original_url: 'https://example.com/', short_code: 'spring', tag_ids: [tag.id] }
    expect((await asGrace('/links', link)).status).toBe(201)
    const visit = async () => (await fetch(`${server.url}/spring`, { redirect: 'manual' })).status
    expect(await visit()).toBe(302)
    const remove = (...words: string[]) => linnet(['account', 'delete', email, ...words], { env })
    expect((await remove()).stderr).toContain('--hand-over-to EMAIL')
    expect((await remove('--hand-over-to', admin.email)).stdout).toBe(
      `${email} is deleted. Its links belong to ${admin.email} now.\n`,
    )
    expect(await visit()).toBe(302)
    const { body } = await server.api('GET', '/links')
    expect(body.data).toMatchObject([{ shortCode: 'spring', tags: [{ id: tag.id }] }])
  })

  itAtNight('invites somebody beside the server, on a plan that there is', async () => {
    const server = await serve()
    const env = { ...serverEnv(server.dataDir), LINNET_BASE_URL: server.url }
    const invite = (...words: string[]) =>
      linnet(['account', 'invite', 'grace@example.org', ...words], { env })
    expect((await invite('--plan', 'unlimted')).stderr).toContain('Did you mean unlimited?')
    const { stdout } = await invite('--plan', 'pro', '--name', 'Grace Hopper')
    const [, secret] = stdout.trim().split(`${server.url}/dashboard/one-time-link#`)
    const used = await fetch(`${server.url}/api/v1/one-time-link/use`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.url },
      body: JSON.stringify({ secret, password: 'a good password' }),
    })
    expect(await used.json()).toMatchObject({
      data: { fullName: 'Grace Hopper', plan: { slug: 'pro' } },
    })
    expect((await invite()).stderr).toBe('Another account has this e-mail address.\n')
  })

  itAtNight('says which account there is not', async () => {
    const env = { LINNET_DATA_DIR: temporaryFolder() }
    await setUp(env.LINNET_DATA_DIR)
    for (const command of ['token create --account', 'account suspend']) {
      for (const [email, remedy] of [
        ['bob@example.com', 'Enter the e-mail address of an account.'],
        ['ada@exmaple.org', 'Did you mean ada@example.org?'],
      ] as const) {
        const { code, stdout, stderr } = await linnet([...command.split(' '), email], { env })
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
        expect(stderr).toBe(`There is no account ${email}. ${remedy}\n`)
      }
    }
    // A server that has started once has a database, but no account yet.
    const empty = { LINNET_DATA_DIR: temporaryFolder() }
    await (await openSqlite(join(empty.LINNET_DATA_DIR, 'linnet.db'))).close()
    const { stderr } = await linnet(['account', 'password', 'ada@example.org'], { env: empty })
    expect(stderr).toContain('Create the first one with: linnet setup')
  })

  itAtNight('says what is wrong with the values of a token', async () => {
    const env = { LINNET_DATA_DIR: temporaryFolder() }
    await setUp(env.LINNET_DATA_DIR)
    const create = (...more: string[]) =>
      linnet(['token', 'create', '--account', 'ada@example.org', ...more], { env })
    expect(await create('--days', 'soon')).toMatchObject({
      code: 1,
      stderr: '--days is "soon": enter a whole number of days from 1 to 36500.\n',
    })
    const { code, stderr } = await create('--scopes', 'links:write,everything')
    expect(code).toBe(1)
    expect(stderr).toContain('everything is not a scope. The scopes are *, profile:read,')
  })

  itAtNight('makes nothing with "linnet restore" of a copy that is not there', async () => {
    const folder = temporaryFolder()
    for (const dataDir of [folder, join(folder, 'typo')]) {
      const env = { LINNET_DATA_DIR: dataDir }
      expect(await linnet(['restore', 'nothing.db'], { env })).toMatchObject({ code: 1 })
    }
    expect(readdirSync(folder)).toEqual([])
  })

  itAtNight.each(
    firstOf(1, [
      ['--help', 141],
      ['backup', 1],
      ['nonsense', 1],
      ['plugins', 141],
    ]),
  )('ends "linnet %s" quietly when nobody reads what it writes', async (args, code) => {
    const env = { LINNET_DATA_DIR: temporaryFolder() }
    if (args === 'plugins') await setUp(env.LINNET_DATA_DIR)
    expect(await withoutReader(args.split(' '), env)).toEqual(`${code}\n`)
  })

  it('says that a file has not all that was written into it', async () => {
    const file = join(temporaryFolder(), 'config.json')
    const through = ['sh', '-c', `trap '' XFSZ; ulimit -f 1; exec "$@" > ${file}`, 'sh']
    const run = { env: { LINNET_DATA_DIR: temporaryFolder() }, through }
    const { code, stderr } = await linnet(['config', '--json'], run)
    expect([code, stderr]).toEqual([1, expect.stringContaining('Not all output could be written')])
  })

  itAtNight('revokes a token again that it could not print', async () => {
    const dataDir = temporaryFolder()
    await setUp(dataDir)
    const through = ['sh', '-c', 'exec "$@" > /dev/full', 'sh']
    const run = { env: serverEnv(dataDir), through }
    const { code, stderr } = await linnet(['token', 'create', '--account', admin.email], run)
    expect(code).toBe(1)
    expect(stderr).toContain('The token was revoked, because nobody can have read it: ENOSPC')
    const { db, close } = await openSqlite(join(dataDir, 'linnet.db'))
    expect(await db.selectFrom('api_tokens').selectAll().execute()).toEqual([])
    await close()
  })

  itAtNight('does what it was told to, also when nobody reads that it is done', async () => {
    const env = { LINNET_DATA_DIR: temporaryFolder() }
    await setUp(env.LINNET_DATA_DIR)
    expect(await withoutReader(['plugins', 'off', 'link.linkPreview'], env)).toBe('141\n')
    const { stdout } = await linnet(['plugins'], { env })
    expect(stdout).toMatch(/^off {2}link\.linkPreview/m)
  })

  itAtNight('serves on when nobody reads its log any more, and ends well', async () => {
    const { child, exit } = start(['serve'], { env: serverEnv(temporaryFolder()) })
    const [line] = await once(createInterface(child.stdout), 'line')
    child.stdout.destroy()
    const { url } = JSON.parse(line)
    expect((await fetch(`${url}/health/live`)).status).toBe(200)
    child.kill('SIGTERM')
    expect(await exit).toEqual({ code: 0, signal: null })
  })
})

/** The exit code and the errors of a command whose reader has gone before it begins. */
async function withoutReader(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const script = 'read go; "$0" "$@" 2>&1; echo $? >&3'
  const child = spawn('sh', ['-c', script, process.execPath, builtProgram, ...args], {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
  })
  child.stdout?.destroy()
  child.stdin?.end('go\n')
  return text(child.stdio[3] as Readable)
}

itAtNight('says as JSON what it did, and what went wrong', async () => {
  const dataDir = temporaryFolder()
  const server = await serve({ dataDir })
  const env = { ...serverEnv(dataDir), LINNET_PORT: new URL(server.url).port }
  const said = async (words: string, stdin = '') => {
    const { code, stdout, stderr } = await linnet([...words.split(' '), '--json'], { env, stdin })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return JSON.parse(stdout)
  }
  const refused = async (words: string) => {
    const { code, stdout, stderr } = await linnet([...words.split(' '), '--json'], { env })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr.trimEnd()).not.toContain('\n')
    return JSON.parse(stderr)
  }
  expect(await said('health')).toMatchObject({ status: 'ok' })
  const all = await said('plugins')
  expect(all).toEqual(await said('plugins list'))
  expect(await said('plugins off organization.tags')).toEqual({
    feature: 'organization.tags',
    on: false,
  })
  expect(await said('plugins release organization.tags')).toMatchObject({ released: 0 })
  expect(await said('plugins purge organization.tags')).toMatchObject({ purged: false })
  expect(await said('run')).toContainEqual({
    name: 'export',
    feature: expect.stringContaining('.'),
    summary: expect.any(String),
  })
  expect(await said(`token create --account ${admin.email}`)).toEqual({
    id: expect.stringMatching(/^tok_/),
    token: expect.stringMatching(/^lnt_/),
  })
  const { url } = await said('account invite grace@example.org')
  expect(url).toContain('/dashboard/one-time-link#')
  expect(await said('account suspend grace@example.org')).toMatchObject({ linksClosed: false })
  expect(await said('account release grace@example.org')).toMatchObject({ wasSuspended: true })
  const { path } = await said('backup')
  expect(readdirSync(join(dataDir, 'backups'))).toContain(path.split('/').at(-1))

  expect(await refused('plugins off no.such')).toEqual({
    message: expect.stringContaining('There is no plugin no.such'),
    exit: 1,
    problem: null,
  })
  expect((await refused('backup --to /no/such/folder')).message).toContain('There is no folder')
  expect((await refused('account release nobody@example.org')).message).toContain('no account')
  await server.kill('SIGTERM')
  expect((await refused('health')).message).toContain('No server responds')
  expect(await said(`restore ${path}`)).toMatchObject({ restored: path, hadSettings: true })
})
