import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { linnet, start, temporaryFolder } from './program.ts'
import { admin, serve, serverEnv, token } from './server.ts'

it('says all that is wrong with the environment at once, and no secret', async () => {
  const { code, stdout, stderr } = await linnet(['serve'], {
    env: {
      ...serverEnv(temporaryFolder()),
      DATABASE_URL: 'mysql://ada:hunter2hunter2@db.example.org/linnet',
      LINNET_PORT: '99999',
      LINNET_BASE_URL: 'ftp://ada:hunter2hunter2@go.example.org',
      LINNET_LOG_LEVEL: 'loud',
      LINNET_TRUSTED_PROXIES: 'all of them',
      LINNET_ADMIN_PASSWORD: 'hunter2',
      LINNET_BOOTSTRAP_TOKEN_FILE: '/nowhere',
      PLUGINS: 'some',
    },
  })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  const lines = stderr.trim().split('\n')
  expect(lines.map(line => /^\w+/.exec(line)?.[0])).toEqual([
    'LINNET_PORT',
    'LINNET_BASE_URL',
    'DATABASE_URL',
    'LINNET_TRUSTED_PROXIES',
    'LINNET_LOG_LEVEL',
    'PLUGINS',
    'LINNET_ADMIN_PASSWORD',
    'LINNET_ADMIN_PASSWORD',
    'LINNET_BOOTSTRAP_TOKEN_FILE',
  ])
  expect(stderr).not.toContain('hunter2')
})

itAtNight('makes no first admin with a password that is guessed first', async () => {
  const env = {
    ...serverEnv(temporaryFolder()),
    LINNET_ADMIN_EMAIL: 'grace@example.org',
    LINNET_ADMIN_PASSWORD: 'password1234',
  }
  const { code, stderr } = await linnet(['serve'], { env })
  expect(code).toBe(1)
  expect(stderr).toContain('LINNET_ADMIN_PASSWORD cannot be used: This password is too common.')
  expect(stderr).not.toContain('password1234')
})

it('says all that is wrong with the choice of plugins at once', async () => {
  const PLUGINS = 'analytics.visitsByBrowser,link.nonsense,link.rubbish'
  const env = { ...serverEnv(temporaryFolder()), PLUGINS }
  const { code, stderr } = await linnet(['serve'], { env })
  expect(code).toBe(1)
  expect(stderr).toContain(
    'There is no plugin link.nonsense: the plugins are link.customShortCode,',
  )
  expect(stderr).toContain('There is no plugin link.rubbish:')
  expect(stderr).toContain('analytics.visitsByBrowser needs analytics.visitsTracking.')
})

itAtNight('reads secrets from files, as containers mount them', async () => {
  const folder = temporaryFolder()
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const server = await serve({
    admin: false,
    env: {
      LINNET_ADMIN_EMAIL: 'grace@example.org',
      LINNET_ADMIN_PASSWORD_FILE: file('password', 'correct horse\n'),
      LINNET_BOOTSTRAP_TOKEN_FILE: file('token', `${token}\n`),
    },
  })
  const profile = await server.api('GET', '/profile')
  expect(profile.body.data).toMatchObject({ email: 'grace@example.org', hasPassword: true })
  const signIn = { email: 'grace@example.org', password: 'correct horse' }
  expect((await server.api('POST', '/session', signIn)).status).toBe(201)
})

itAtNight('says which port is taken', async () => {
  const { url } = await serve({ admin: false })
  const port = new URL(url).port
  const env = { ...serverEnv(temporaryFolder()), LINNET_PORT: port }
  const { code, stderr } = await linnet(['serve'], { env })
  expect(code).toBe(1)
  expect(stderr).toMatch(
    new RegExp(`^Port ${port} of 127.0.0.1 is used by another program\\. .*LINNET_PORT`),
  )
})

itAtNight(
  'warns of variables that it does not know, and not of those of a plugin that is off, and starts',
  async () => {
    const env = {
      PLUGINS: 'none',
      LINNET_SAFE_BROWSING_KEY: 'x',
      LINNET_CARRIER_PIGEONS: 'x',
      LINNET_TRUSTED_PROXY: '1',
    }
    const { log } = await serve({ admin: false, env })
    expect(log[0]).toMatchObject({ level: 'warn' })
    const told = log.map(({ message }) => message).filter(it => it.includes(' is not a setting'))
    expect(told.map(it => /^\w+/.exec(it)?.[0])).toEqual([
      'LINNET_CARRIER_PIGEONS',
      'LINNET_TRUSTED_PROXY',
    ])
    expect(told[1]).toContain('did you mean LINNET_TRUSTED_PROXIES?')
  },
)

itAtNight.each([
  ['nope.invalid', 'The host nope.invalid has no known address.'],
  ['192.0.2.1', 'This machine does not have the address 192.0.2.1.'],
])('says why it cannot listen on %s, on any port', async (host, why) => {
  for (const port of ['0', '18080']) {
    const env = { ...serverEnv(temporaryFolder()), LINNET_HOST: host, LINNET_PORT: port }
    expect(await linnet(['serve'], { env })).toMatchObject({
      code: 1,
      stderr: `${why} Set LINNET_HOST to an address of this machine, such as 127.0.0.1, or to 0.0.0.0 for all.\n`,
    })
  }
})

itAtNight(
  'says that the token of the environment is live, also once it is unset, and that it is weak',
  async () => {
    const weak = { LINNET_BOOTSTRAP_TOKEN: `lnt_${'b'.repeat(43)}` }
    const guessable = await serve({ env: weak })
    expect(await guessable.logged(/can be guessed/)).toMatchObject({ level: 'warn' })
    await guessable.kill('SIGTERM')

    const { dataDir } = guessable
    const server = await serve({ dataDir })
    const { message } = await server.logged(/LINNET_BOOTSTRAP_TOKEN is active/)
    expect(message).not.toContain(token)
    expect(message).toContain('unset the variable')
    const path = /\/api-tokens\/\w+$/.exec(message)?.[0] ?? ''
    expect(server.log.some(line => /guessed/.test(line.message))).toBe(false)
    await server.kill('SIGTERM')

    const unset = await serve({ dataDir, admin: false })
    const told = await unset.logged(/LINNET_BOOTSTRAP_TOKEN is active/)
    expect(told.message).not.toContain('unset')
    expect((await unset.api('DELETE', path)).status).not.toBe(401)
  },
)

itAtNight(
  'takes the token alone once there is an account, and says what is missing before',
  async () => {
    const dataDir = temporaryFolder()
    const LINNET_BOOTSTRAP_TOKEN = token
    const refused = await linnet(['serve'], {
      env: { ...serverEnv(dataDir), LINNET_BOOTSTRAP_TOKEN },
    })
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'LINNET_BOOTSTRAP_TOKEN belongs to an admin, but there is no admin yet: ' +
        'set LINNET_ADMIN_EMAIL and LINNET_ADMIN_PASSWORD too, or unset LINNET_BOOTSTRAP_TOKEN.\n',
    })
    await (await serve({ dataDir })).kill('SIGTERM')
    const alone = await serve({ dataDir, admin: false, env: { LINNET_BOOTSTRAP_TOKEN } })
    expect((await alone.api('GET', '/profile')).body.data).toMatchObject({ email: admin.email })
  },
)

itAtNight('warns of a number of proxies where others than a proxy can come', async () => {
  const env = { LINNET_TRUSTED_PROXIES: '1' }
  const open = await serve({ env: { ...env, LINNET_HOST: '0.0.0.0' } })
  expect(await open.logged(/can fake their IP address/)).toMatchObject({ level: 'warn' })
  for (const fine of [env, { LINNET_TRUSTED_PROXIES: '10.0.0.0/8', LINNET_HOST: '0.0.0.0' }]) {
    const server = await serve({ env: fine })
    await server.logged(/is active/)
    expect(server.log.some(({ message }) => /can fake/.test(message))).toBe(false)
  }
})

it('refuses other hosts where it should, but for its health', async () => {
  const ask = async (server: { readonly url: string }, path: string, host: string) => {
    const { hostname, port } = new URL(server.url)
    const request = get({ hostname, port, path, headers: { host } })
    const [answer] = await once(request, 'response')
    answer.resume()
    return answer.statusCode
  }
  const strict = await serve({ env: { LINNET_OTHER_HOSTS: 'refuse' } })
  const own = new URL(strict.url).host
  for (const path of ['/', '/api/v1/openapi.json', '/dashboard/', '/nothing']) {
    expect([path, await ask(strict, path, 'evil.example')]).toEqual([path, 421])
  }
  expect(await ask(strict, '/health/live', 'evil.example')).toBe(200)
  for (const host of [own, own.replace(/:\d+$/, ''), own.replace(/:\d+$/, ':443')]) {
    expect([host, await ask(strict, '/api/v1/openapi.json', host)]).toEqual([host, 200])
  }
})

itAtNight('binds its own host to https, and no other that it refuses', async () => {
  const env = { LINNET_OTHER_HOSTS: 'refuse', LINNET_BASE_URL: 'https://go.example.org' }
  const server = await serve({ env })
  const { port } = await server.logged(/^Linnet is ready/)
  const bindsHealthOf = async (host: string) => {
    const request = get({
      host: '127.0.0.1',
      port: Number(port),
      path: '/health/live',
      headers: { host },
    })
    const [answer] = await once(request, 'response')
    answer.resume()
    return 'strict-transport-security' in answer.headers
  }
  expect(await bindsHealthOf('go.example.org')).toBe(true)
  expect(await bindsHealthOf('evil.example')).toBe(false)
})

itAtNight(
  'prints what is in force and where it comes from, also beside a mistake, and no secret',
  async () => {
    const folder = temporaryFolder()
    const settings = {
      features: { linkCreationEnabled: false },
      plugins: {
        off: ['link.pageTitle'],
        settings: { 'link.urlScanning': { lookAlikes: 'allow' } },
      },
    }
    writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings))
    writeFileSync(join(folder, 'password'), 'hunter2hunter2')
    const env = {
      PORT: '3000',
      LINNET_DATA_DIR: folder,
      LINNET_ADMIN_EMAIL: 'grace@example.org',
      LINNET_ADMIN_PASSWORD_FILE: join(folder, 'password'),
      LINNET_SAFE_BROWSING_KEY: 'hunter2',
    }
    const { code, stdout } = await linnet(['config'], { env })
    const lines = stdout.split('\n').map(line => line.split(/ {2,}/))
    expect(code).toBe(0)
    for (const line of [
      ['LINNET_HOST', '0.0.0.0', 'default'],
      ['LINNET_PORT', '3000', 'environment, PORT'],
      ['LINNET_BASE_URL', 'http://localhost:3000', 'default'],
      ['LINNET_GEOIP_FILE', 'not set', 'default'],
      ['LINNET_ADMIN_PASSWORD', 'hidden', `the file ${join(folder, 'password')}`],
      ['link.urlScanning lookAlikes', '"allow"', 'settings.json'],
      ['link.urlScanning whenUnavailable', '"allow"', 'default'],
      ['link.urlScanning safeBrowsingKey', 'hidden', 'environment, LINNET_SAFE_BROWSING_KEY'],
      ['link.pageTitle', 'off', 'settings.json'],
      ['linkCreationEnabled', 'false', 'settings.json'],
    ]) {
      expect(lines).toContainEqual(line)
    }
    expect(stdout).not.toContain('hunter2')

    const wrong = await linnet(['config'], { env: { ...env, LINNET_LOG_LEVEL: 'loud' } })
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('LINNET_LOG_LEVEL is') })
    expect(wrong.stdout).toMatch(/^LINNET_LOG_LEVEL +loud +environment, LINNET_LOG_LEVEL$/m)

    // The secrets of plugins that are on are told beside the variables of the server.
    const both = {
      ...env,
      LINNET_PORT: 'x',
      LINNET_SAFE_BROWSING_KEY_FILE: '/no/file',
      LINNET_SAFE_BROWSING_KEY: '',
      LINNET_GEOIP_KEY: 'of a plugin that is off',
    }
    for (const command of ['config', 'doctor', 'serve']) {
      const told = await linnet([command], { env: both })
      const said = told.stdout + told.stderr
      expect(told.code).toBe(1)
      expect(said).toMatch(/LINNET_PORT is "x"/)
      expect(said).toMatch(/LINNET_SAFE_BROWSING_KEY_FILE cannot be read: ENOENT/)
      expect(said).not.toContain('LINNET_GEOIP_KEY')
    }

    const odd = { ...env, LINNET_PROT: '80', LINNET_GEOIP_KEY: '1:key', PLUGINS: 'link.titel' }
    const { code: oddCode, stderr } = await linnet(['config'], { env: odd })
    expect(oddCode).toBe(1)
    expect(stderr).toMatch(/^LINNET_PROT is not a setting .* did you mean LINNET_PORT\?$/m)
    expect(stderr).toMatch(/^There is no plugin link\.titel: /m)
    // It belongs to a plugin that is off.
    expect(stderr).not.toContain('LINNET_GEOIP_KEY')
    const doctor = await linnet(['doctor'], { env: { ...env, LINNET_GEOIP_KEY: '1:key' } })
    expect(doctor.stdout).toContain('All environment variables are valid.')

    const unread = {
      LINNET_DATA_DIR: temporaryFolder(),
      LINNET_PORT: '0',
      LINNET_SAFE_BROWSING_KEY_FILE: '/no/file',
    }
    for (const command of ['config', 'doctor', 'serve']) {
      const told = await linnet([command], { env: unread })
      expect(told.code).toBe(1)
      expect(told.stdout + told.stderr).toMatch(
        /LINNET_SAFE_BROWSING_KEY_FILE cannot be read: ENOENT/,
      )
    }

    const file = { ...env, LINNET_DATA_DIR: join(folder, 'password') }
    expect(await linnet(['config'], { env: file })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('it is a file. Set LINNET_DATA_DIR to another folder.'),
    })
  },
)

itAtNight('logs lines for people where it should, though nobody watches', async () => {
  const env = { ...serverEnv(temporaryFolder()), LINNET_LOG_FORMAT: 'text' }
  const [line] = await once(start(['serve'], { env }).child.stdout, 'data')
  expect(String(line)).toMatch(/^\d\d:\d\d:\d\d info {2}Linnet is ready at http/)
})
