import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { version } from '../../package.json'
import { firstOf, itAtNight } from '../at-night.ts'
import {
  bytesIn,
  copyOfFixture,
  edit,
  filesIn,
  fixture,
  newFolder,
  offline,
} from './plugins-folder.ts'
import { linnet, temporaryFolder } from './program.ts'
import { pack, startRegistry } from './registry.ts'
import { createLink, serve } from './server.ts'

const feature = 'acme.hours'
const withHours = mkdtempSync(join(tmpdir(), 'linnet-e2e-'))
let installed: ReturnType<typeof linnet> | undefined
afterAll(() => rmSync(withHours, { recursive: true }))

const follows = 'A running server applies this within two seconds and logs it.'

it('takes a packed plugin from nothing to running, and removes it again', async () => {
  const { dataDir, plugins } = newFolder()
  expect(await plugins('add', pack(fixture))).toEqual({
    code: 0,
    stderr: '',
    stdout:
      `linnet-plugin-hours 1.0.0 is installed and provides ${feature}. ` +
      `No server has used ${dataDir} yet: set LINNET_DATA_DIR if yours uses another folder.\n`,
  })
  expect((await plugins('list')).stdout).toMatch(
    /^on {3}acme\.hours +Open links in business hours alone\. \(linnet-plugin-hours 1\.0\.0\)$/m,
  )
  const server = await serve({ dataDir })
  expect(server.log.filter(({ level }) => level !== 'info')).toEqual([])
  const { id, shortCode } = await createLink(server)
  const shut = await createLink(server, { business_hours: 'never' })
  expect((await server.get(`/${shortCode}`)).status).toBe(302)
  expect(await server.get(`/${shut.shortCode}`)).toMatchObject({ status: 403 })
  expect((await server.api('GET', '/hours')).body.data).toBe('always or never')
  // The recorder's thread has loaded it too.
  const counted = async () =>
    (await server.api('GET', `/links/${id}/analytics?interval=7d`)).body.data.visitsByEngine
  await expect.poll(counted).toEqual([expect.objectContaining({ value: 'Gecko', visits: 1 })])
  const { body: list } = await server.api('GET', '/admin/plugins')
  expect(list.data.at(-1)).toMatchObject({
    feature,
    package: { name: 'linnet-plugin-hours', version: '1.0.0' },
    enabled: true,
    problem: null,
    guardedLinks: 1,
  })
  await server.kill('SIGTERM')

  expect((await plugins('remove', 'linnet-plugin-hours')).code).toBe(0)
  expect((await plugins('list')).stdout).not.toContain(feature)
  const without = await serve({ dataDir })
  expect((await without.get(`/${shortCode}`)).status).toBe(302)
  expect((await without.get(`/${shut.shortCode}`)).status).toBe(503)
})

itAtNight(
  'gives a plugin the running Linnet, whatever copy of it the plugin has installed',
  async () => {
    const { dataDir } = await folderWithHours()
    const own = join(dataDir, 'plugins/node_modules/linnet-plugin-hours/node_modules/linnet')
    mkdirSync(own, { recursive: true })
    writeFileSync(
      join(own, 'package.json'),
      '{ "name": "linnet", "exports": { "./plugin": "./no.js" } }',
    )
    const server = await serve({ dataDir })
    expect((await server.api('GET', '/hours')).status).toBe(200)
  },
)

itAtNight('is switched as ours are, and may be named in PLUGINS', async () => {
  const { dataDir, plugins } = await folderWithHours()
  const first = await serve({ dataDir })
  const { shortCode } = await createLink(first, { business_hours: 'never' })
  await first.kill('SIGTERM')
  expect((await plugins('off', feature)).stdout).toBe(`${feature} is off. ${follows}\n`)
  const without = await serve({ dataDir })
  expect((await without.api('GET', '/hours')).status).toBe(404)
  expect((await without.get(`/${shortCode}`)).status).toBe(503)
  const on = await without.api('PATCH', `/admin/plugins/${feature}`, { enabled: true })
  expect(on.body.data).toMatchObject({ enabled: true, switchedOn: true, guardedLinks: 1 })
  expect((await without.get(`/${shortCode}`)).status).toBe(403)
  await without.kill('SIGTERM')

  const named = ['developer.apiKeys', 'analytics.visitsTracking', feature].join()
  const few = await serve({ dataDir, env: { PLUGINS: named } })
  expect((await few.get(`/${shortCode}`)).status).toBe(403)
  await few.kill('SIGTERM')

  // An unknown name stops the start, unless a broken plugin may be the one that provides it.
  rmSync(join(dataDir, 'plugins/node_modules/linnet-plugin-hours/index.js'))
  const broken = await serve({ dataDir, env: { PLUGINS: named } })
  expect(await broken.logged(/^acme\.hours does not run/)).toMatchObject({
    message: 'acme.hours does not run: no plugin that can be loaded provides it',
  })
  expect((await broken.get(`/${shortCode}`)).status).toBe(503)
})

itAtNight('is not read while it is off, even where it would never come back', async () => {
  const { dataDir, plugins } = await folderWithHours()
  await (await serve({ dataDir })).kill('SIGTERM')
  const file = join(dataDir, 'plugins/node_modules/linnet-plugin-hours/index.js')
  const sound = readFileSync(file, 'utf8')
  writeFileSync(file, 'for (;;);')
  expect((await plugins('off', feature)).stdout).toBe(`${feature} is off. ${follows}\n`)
  expect((await plugins('list')).stdout).toMatch(
    /^off {2}acme\.hours +Open links in business hours alone\. \(linnet-plugin-hours 1\.0\.0\)$/m,
  )
  const server = await serve({ dataDir })
  expect((await server.api('GET', '/hours')).status).toBe(404)
  writeFileSync(file, sound)
  const on = await server.api('PATCH', `/admin/plugins/${feature}`, { enabled: true })
  expect(on.body.data).toMatchObject({ enabled: true, package: { name: 'linnet-plugin-hours' } })
  // The recorder's thread has loaded it too.
  const { id, shortCode } = await createLink(server)
  await server.get(`/${shortCode}`)
  const counted = async () =>
    (await server.api('GET', `/links/${id}/analytics?interval=7d`)).body.data.visitsByEngine
  await expect.poll(counted).toMatchObject([{ value: 'Gecko', visits: 1 }])
})

itAtNight('that leaves failures behind stops nobody from counting, and is named', async () => {
  const { dataDir } = newFolder()
  mkdirSync(join(dataDir, 'plugins'), { recursive: true })
  writeFileSync(
    join(dataDir, 'plugins/stray.js'),
    `import { definePlugin } from 'linnet/plugin'
     Promise.reject(new Error('left alone'))
     setInterval(() => { throw new Error('in a timer') }, 20)
     const of = () => 'left'
     export default definePlugin({
       feature: 'acme.stray',
       about: 'Leaves failures behind.',
       dimensions: { visitsByStray: { label: 'Stray', of } },
     })`,
  )
  const server = await serve({ dataDir })
  const { id, shortCode } = await createLink(server, {})
  for (let visit = 0; visit < 20; visit += 1) await server.get(`/${shortCode}`)
  await expect
    .poll(async () => (await server.api('GET', `/links/${id}/analytics`)).body.data.totals.visits)
    .toBe(20)
  expect(await server.logged(/^acme\.stray failed outside of its hooks/)).toBeDefined()
  expect(server.log.map(({ message }) => message)).not.toContainEqual(
    expect.stringContaining('The recorder thread died'),
  )
})

itAtNight(
  'that never answers the thread that counts is left out there, and named; all else is counted',
  async () => {
    const { dataDir } = newFolder()
    mkdirSync(join(dataDir, 'plugins'), { recursive: true })
    writeFileSync(
      join(dataDir, 'plugins/loops.js'),
      `import { definePlugin } from 'linnet/plugin'
     const of = ({ query }) => { while (query.has('loop')); return 'calm' }
     export default definePlugin({
       feature: 'acme.loops',
       about: 'Never answers.',
       dimensions: { visitsByMood: { label: 'Mood', of } },
     })`,
    )
    const server = await serve({ dataDir })
    const { id, shortCode } = await createLink(server, {})
    const counts = async () =>
      (await server.api('GET', `/links/${id}/analytics?interval=7d`)).body.data
    await server.get(`/${shortCode}`)
    await expect.poll(counts).toMatchObject({ visitsByMood: [{ value: 'calm', visits: 1 }] })
    await server.get(`/${shortCode}?loop`)
    for (let visit = 0; visit < 20; visit += 1) await server.get(`/${shortCode}`)
    const why = 'dimensions.visitsByMood.of did not answer within 5 s'
    expect(await server.logged(/^Visits cannot be stored/)).toMatchObject({
      error: { message: `acme.loops ${why}` },
    })
    expect(await server.logged(/^acme\.loops dimensions/)).toMatchObject({
      level: 'error',
      feature: 'acme.loops',
      message: `acme.loops dimensions.visitsByMood.of failed: ${why}, and is not called again until plugins change`,
    })
    await expect.poll(async () => (await counts()).totals.visits).toBe(22)
    expect(await counts()).toMatchObject({
      visitsByMood: [
        { value: '(none)', visits: 21 },
        { value: 'calm', visits: 1 },
      ],
    })
    const browsers = (await counts()).visitsByBrowser
    expect(browsers).toEqual([expect.objectContaining({ value: 'Firefox', visits: 22 })])
  },
)

describe('a broken plugin', () => {
  const sound = mkdtempSync(join(tmpdir(), 'linnet-e2e-'))
  afterAll(() => rmSync(sound, { recursive: true }))
  let guarded: Promise<string> | undefined

  /** The short code of a link in `sound` that the plugin guards; made once. */
  async function guardLink(): Promise<string> {
    cpSync((await folderWithHours()).dataDir, sound, { recursive: true })
    const server = await serve({ dataDir: sound })
    const { shortCode } = await createLink(server, { business_hours: 'never' })
    await server.kill('SIGTERM')
    return shortCode
  }

  itAtNight.each(
    firstOf(1, [
      [
        'whose file is missing',
        (root: string) => rmSync(join(root, 'index.js')),
        'its file ./index.js does not exist: build the plugin, and add it again',
      ],
      [
        'that needs a package which is not installed',
        (root: string) => edit(join(root, 'index.js'), it => `import 'left-pad'\n${it}`),
        'it needs the package left-pad, which is not installed: add that to the dependencies in its package.json',
      ],
      [
        'that is no plugin by its shape',
        (root: string) =>
          edit(join(root, 'index.js'), it => it.replace(/about: '.*'/, "about: ''")),
        'it has no valid description. Set about to one line of 3 to 162 characters that ends with a full stop',
      ],
      [
        'that is for another version of the plugin API',
        (root: string) => edit(join(root, 'package.json'), it => it.replace('"^1"', '"^2"')),
        'it is for plugin API ^2, but this Linnet has 1: update Linnet, or use a version of it for 1',
      ],
      [
        'that is for a newer Linnet',
        (root: string) => edit(join(root, 'package.json'), it => it.replace('"^0.1.0"', '">=9"')),
        `it is for Linnet >=9, but this is ${version}: update Linnet, or use a version of it for ${version}`,
      ],
      [
        'that spells its guard wrong',
        (root: string) => edit(join(root, 'index.js'), it => it.replace('guard(', 'gaurd(')),
        'it has an unknown part gaurd. Did you mean guard?',
      ],
    ]),
  )('%s is left out and named, and what it guards stays shut', async (_, spoil, why) => {
    guarded ??= guardLink()
    const shortCode = await guarded
    const { dataDir, plugins } = newFolder()
    cpSync(sound, dataDir, { recursive: true })
    spoil(join(dataDir, 'plugins/node_modules/linnet-plugin-hours'))
    const server = await serve({ dataDir })
    const name = 'linnet-plugin-hours'
    expect(await server.logged(/does not run/)).toMatchObject({
      level: 'error',
      message: `${name} does not run: ${why}`,
    })
    expect((await server.get(`/${shortCode}`)).status).toBe(503)
    expect((await server.get(`/${(await createLink(server)).shortCode}`)).status).toBe(302)
    const health = await server.get('/health/ready')
    expect(health.body.checks.plugins).toEqual({
      status: 'degraded',
      note: `${name} does not run: ${why}.`,
    })
    const { body } = await server.api('GET', '/admin/plugins')
    expect(body.data.at(-1)).toMatchObject({
      feature: name,
      enabled: false,
      problem: why,
    })
    expect(await server.api('PATCH', `/admin/plugins/${name}`, { enabled: false })).toMatchObject({
      status: 409,
      body: { code: 'plugin_broken', detail: `It cannot run: ${why}.` },
    })
    const { stdout } = await plugins('list')
    expect(stdout).toContain(`broken  ${name}`)
    expect(stdout).toContain(`Does not run: ${why}.\n`)
  })

  itAtNight('is not added, and all stays as it was, to the byte', async () => {
    const { dataDir, plugins } = newFolder()
    const broken = copyOfFixture()
    rmSync(join(broken, 'index.js'))
    expect(await plugins('add', broken)).toMatchObject({
      code: 1,
      stderr:
        'linnet-plugin-hours cannot be used: its file ./index.js does not exist: build the plugin, and add it again. ' +
        'Nothing was changed.\n',
    })
    expect(readdirSync(dataDir)).toEqual([])

    const whole = await folderWithHours()
    const before = bytesIn(whole.dataDir)
    expect((await whole.plugins('add', broken)).code).toBe(1)
    expect(bytesIn(whole.dataDir)).toEqual(before)
  })
})

itAtNight.each([
  [
    'brings the same feature',
    (code: string) => code,
    'a-rival cannot be used: it provides acme.hours, which linnet-plugin-hours already provides.',
  ],
  [
    'brings a field of the same name',
    (code: string) => code.replace('acme.hours', 'acme.rival'),
    'both have the create field businessHours. Rename one',
  ],
])('adds no plugin that takes the place of another: one that %s', async (_, change, why) => {
  const { dataDir, plugins } = await folderWithHours()
  const before = bytesIn(dataDir)
  const rival = copyOfFixture()
  edit(join(rival, 'package.json'), it => change(it).replace('linnet-plugin-hours', 'a-rival'))
  edit(join(rival, 'index.js'), change)
  const { code, stderr } = await plugins('add', rival)
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(why) })
  expect(bytesIn(dataDir)).toEqual(before)
})

itAtNight(
  'tells how to update what came from a file, and that a running server follows',
  async () => {
    const { dataDir, plugins } = await folderWithHours()
    await serve({ dataDir })
    expect((await plugins('update', 'linnet-plugin-hours')).stdout).toBe(
      'Everything from the npm registry is up to date. ' +
        'Update what you added from a file or folder with linnet plugins add.\n',
    )
    expect((await plugins('add', fixture)).stdout).toBe(
      `linnet-plugin-hours 1.0.0 is installed and provides ${feature}. ${follows}\n`,
    )
  },
)

itAtNight(
  'says what is wrong with a file that is no package, and with a package without a version',
  async () => {
    const { dataDir, plugins } = newFolder()
    const folder = temporaryFolder()
    const archive = join(folder, 'plugin.tgz')
    writeFileSync(archive, 'no archive')
    writeFileSync(join(folder, 'package.json'), '{ "name": "linnet-plugin-hours" }')
    expect(await plugins('add', archive)).toMatchObject({
      code: 1,
      stderr: 'The file is not a package. Add a .tgz file that npm pack made.\n',
    })
    expect(await plugins('add', folder)).toMatchObject({
      code: 1,
      stderr: 'npm failed.\nnpm: Invalid package, must have name and version\n',
    })
    expect(readdirSync(dataDir)).toEqual([])
  },
)

itAtNight('adds nothing without the npm registry, and says what to do', async () => {
  const { dataDir, plugins } = newFolder()
  const { code, stderr } = await plugins('add', 'linnet-plugin-hours')
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(
      /^The npm registry cannot be reached \(ECONNREFUSED\), .* linnet plugins add \.\//,
    ),
  })
  expect(readdirSync(dataDir)).toEqual([])
})

itAtNight.each([['update'], ['list', '--outdated']])(
  'names the folder where plugins %s finds no packages, and creates nothing',
  async (...args) => {
    const dataDir = join(temporaryFolder(), 'none')
    const { code, stdout } = await linnet(['plugins', ...args], { env: offline(dataDir) })
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `No packages are installed in ${join(dataDir, 'plugins')}.\n`,
    })
    expect(existsSync(dataDir)).toBe(false)
  },
)

itAtNight(
  'takes a plugin from the npm registry, tells of newer ones, and takes those that fit',
  async () => {
    const registry = await startRegistry()
    registry.publish(fixture, { version: '1.0.0' })
    const { plugins } = newFolder({ npm_config_registry: registry.url })
    expect((await plugins('add', 'linnet-plugin-hours@^1')).stdout).toMatch(
      /^linnet-plugin-hours 1\.0\.0 is/,
    )
    expect((await plugins('list', '--outdated')).stdout).toBe(
      'All installed plugins are up to date.\n',
    )
    registry.publish(fixture, { version: '1.1.0' })
    expect((await plugins('list', '--outdated')).stdout).toBe(
      'linnet-plugin-hours 1.0.0, and there is 1.1.0: linnet plugins update linnet-plugin-hours\n',
    )
    expect((await plugins('update')).stdout).toMatch(/^linnet-plugin-hours 1\.1\.0 is installed/)
    registry.publish(fixture, { version: '2.0.0' })
    expect((await plugins('update')).stdout).toBe(
      'Everything from the npm registry is up to date.\n',
    )
    expect((await plugins('list', '--outdated')).stdout).toBe(
      'linnet-plugin-hours 1.1.0, and there is 2.0.0: linnet plugins add linnet-plugin-hours@2.0.0\n',
    )
    expect(await plugins('update', 'linnet-plugin-days')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^linnet-plugin-days is not installed in \S+\. Did you mean linnet-plugin-hours\?/,
      ),
    })
    expect(await plugins('remove', feature)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/The package that provides it is linnet-plugin-hours\.\n$/),
    })
    expect(await plugins('add', 'linnet-plugin-hours@7')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^The npm registry does not have this version\. Ask for an existing version\.\nnpm: No matching/,
      ),
    })
    expect(await plugins('add', 'linnet-plugin-days')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The npm registry does not have this package\.\nnpm: /),
    })
  },
)

itAtNight(
  'takes the newest version that this Linnet can run and that was not withdrawn, and says why no newer one',
  async () => {
    const registry = await startRegistry()
    const name = 'linnet-plugin-hours'
    const { plugins } = newFolder({ npm_config_registry: registry.url })
    registry.publish(fixture, { version: '1.0.0' })
    registry.publish(fixture, { version: '1.1.0' })
    registry.publish(fixture, { version: '1.1.1', deprecated: 'It opens too late' })
    registry.publish(fixture, { version: '1.2.0', peerDependencies: { linnet: '>=99' } })
    registry.publish(fixture, { version: '2.0.0', linnet: { plugin: './index.js', api: '^2' } })
    expect((await plugins('add', name)).stdout).toMatch(
      /^linnet-plugin-hours 1\.1\.0 is installed[\s\S]*\nlinnet-plugin-hours 2\.0\.0 was passed over: it is for plugin API \^2, but/,
    )
    expect((await plugins('add', `${name}@~1.1`)).stdout).toMatch(
      /passed over: its author has withdrawn it \(It opens too late\)\.\n$/,
    )
    registry.publish(fixture, { version: '1.1.2' })
    expect((await plugins('update')).stdout).toMatch(/^linnet-plugin-hours 1\.1\.2 is installed/)
    expect((await plugins('check', name)).stdout).toMatch(/1\.1\.2 passes the check/)
    expect(await plugins('add', `${name}@^1.2`)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/cannot be used: it is for Linnet >=99, but/),
    })
  },
)

describe('the API', () => {
  const path = '/admin/plugins/packages'
  const name = 'linnet-plugin-hours'

  it('installs nothing unless the operator allows it', async () => {
    const server = await serve()
    expect(await server.api('POST', path, { package: name })).toMatchObject({
      status: 409,
      body: {
        code: 'plugin_install_off',
        detail: expect.stringContaining('LINNET_PLUGIN_INSTALL'),
      },
    })
    expect(await server.api('DELETE', path, { package: name })).toMatchObject({ status: 409 })
    expect((await server.api('GET', path)).body.data).toEqual([])
    expect(readdirSync(server.dataDir)).not.toContain('plugins')
  })

  itAtNight('gives up what an admin installs who is none any more', async () => {
    const asked = Promise.withResolvers<void>()
    // A registry that is slow.
    const registry = createServer(() => asked.resolve()).listen(0, '127.0.0.1')
    onTestFinished(() => void registry.close().closeAllConnections())
    await once(registry, 'listening')
    const { port } = registry.address() as AddressInfo
    const env = {
      LINNET_PLUGIN_INSTALL: '1',
      npm_config_registry: `http://127.0.0.1:${port}`,
      npm_config_cache: temporaryFolder(),
    }
    const server = await serve({ env })
    const grace = { email: 'grace@example.org', password: 'difference engine' }
    const made = await server.api('POST', '/admin/accounts', { ...grace, is_admin: true })
    const signedIn = await server.api('POST', '/session', grace, { authorization: '' })
    const session = {
      authorization: '',
      origin: server.url,
      cookie: signedIn.headers.get('set-cookie')?.split(';')[0] ?? '',
    }
    const body = { package: name, current_password: grace.password }
    const installing = server.api('POST', path, body, session)
    await Promise.race([asked.promise, installing])
    const { id } = made.body.data
    expect(await server.api('PATCH', `/admin/accounts/${id}`, { is_admin: false })).toMatchObject({
      status: 200,
    })
    expect((await installing).status).toBe(403)
    expect((await server.api('GET', path)).body.data).toEqual([])
  })

  itAtNight('installs, updates and removes at once, where it is allowed', async () => {
    const registry = await startRegistry()
    registry.publish(fixture, { version: '1.0.0' })
    const env = { LINNET_PLUGIN_INSTALL: '1', npm_config_registry: registry.url }
    const server = await serve({ env })
    const overview = async () => (await server.api('GET', '/admin/plugins')).body.data.at(-1)
    const added = { name, version: '1.0.0', feature, running: '1.0.0', problem: null }
    expect(await server.api('POST', path, { package: `${name}@^1` })).toMatchObject({
      status: 200,
      body: { data: added },
    })
    expect((await server.api('GET', path)).body.data).toEqual([added])
    expect((await server.api('GET', '/hours')).status).toBe(200)
    expect(await overview()).toMatchObject({ feature, enabled: true, switchedOn: true })

    registry.publish(fixture, { version: '2.0.0', linnet: { plugin: './index.js', api: '^2' } })
    expect(await server.api('POST', path, { package: `${name}@2` })).toMatchObject({
      status: 409,
      body: {
        code: 'plugin_unusable',
        detail: expect.stringMatching(/is for plugin API \^2, but/),
      },
    })
    for (const wrong of ['../hours', '/etc/passwd.tgz', '--global', 'https://example.org/x.tgz']) {
      expect((await server.api('POST', path, { package: wrong })).status).toBe(422)
    }
    expect((await server.api('GET', path)).body.data).toEqual([added])

    registry.publish(fixture, { version: '1.1.0' })
    expect((await server.api('GET', `${path}/outdated`)).body.data).toEqual([
      { name, current: '1.0.0', wanted: '1.1.0', latest: '1.1.0' },
    ])
    expect((await server.api('POST', path, { package: `${name}@1.1` })).body.data).toEqual({
      ...added,
      version: '1.1.0',
      running: '1.1.0',
    })
    expect((await server.api('DELETE', path, { package: name })).status).toBe(204)
    expect((await server.api('GET', '/hours')).status).toBe(404)
    expect(await overview()).not.toMatchObject({ feature })
    expect((await server.api('DELETE', path, { package: name })).status).toBe(404)
  })
})

itAtNight(
  'takes a version that was there before, and tries its set-up again if that failed then',
  async () => {
    const registry = await startRegistry()
    const { dataDir, plugins } = newFolder({ npm_config_registry: registry.url })
    const down = join(dataDir, 'down')
    for (const version of ['0.1.0', '0.2.0']) {
      const folder = copyOfFixture()
      edit(join(folder, 'package.json'), it => it.replace('1.0.0', version))
      edit(
        join(folder, 'index.js'),
        it => `import { existsSync } from 'node:fs'
        ${it.replace('always or never', version).replace(
          'dimensions:',
          `setup() { if (${version === '0.1.0'} && existsSync('${down}')) throw new Error('down') },
           dimensions:`,
        )}`,
      )
      registry.publish(folder)
    }
    const server = await serve({ dataDir })
    const says = async () => (await server.api('GET', '/hours')).body.data
    const add = async (version: string) => {
      expect(await plugins('add', `linnet-plugin-hours@${version}`)).toMatchObject({ code: 0 })
    }
    const remove = async () => {
      expect(await plugins('remove', 'linnet-plugin-hours')).toMatchObject({ code: 0 })
      // The server looks once a second, and a plugin whose set-up failed says nothing before either.
      await expect.poll(isInstalled).toBe(false)
      expect(await says()).toBeUndefined()
    }
    const isInstalled = async () => {
      const { data } = (await server.api('GET', '/admin/plugins')).body
      return data.some(({ feature }: { feature: string }) => feature === 'acme.hours')
    }
    writeFileSync(down, '')
    await add('0.1.0')
    await server.logged(/^acme\.hours does not run: its set-up failed: down/)
    rmSync(down)
    await add('0.2.0')
    await expect.poll(says).toBe('0.2.0')
    await add('0.1.0')
    await expect.poll(says).toBe('0.1.0')
    await remove()
    writeFileSync(down, '')
    await add('0.1.0')
    await expect
      .poll(() => server.log.filter(it => /set-up failed: down/.test(it.message)))
      .toHaveLength(2)
    rmSync(down)
    await remove()
    await add('0.1.0')
    await expect.poll(says).toBe('0.1.0')
  },
)

itAtNight(
  'reads a single file, TypeScript too, only where it is needed, and closes all to other users',
  async () => {
    const { dataDir, plugins } = newFolder()
    await plugins('add', fixture)
    const file = join(dataDir, 'plugins/greeting.ts')
    writeFileSync(
      file,
      `import { writeFileSync } from 'node:fs'
     import { threadId } from 'node:worker_threads'
     import { definePlugin, type Plugin, z } from 'linnet/plugin'
     writeFileSync(new URL('thread-' + threadId, import.meta.url), '')
     const plugin: Plugin = definePlugin({
       feature: 'acme.greeting',
       about: 'Say hello to who asks.',
       before: ['acme.hours'],
       endpoints: {
         'GET /greeting': {
           summary: 'Say hello',
           scope: 'links:read',
           answer: z.object({ data: z.string() }),
           handle: () => ({ data: 'hello' }),
         },
       },
     })
     export default plugin`,
    )
    const server = await serve({ dataDir })
    expect((await server.api('GET', '/greeting')).body.data).toBe('hello')
    const { body } = await server.api('GET', '/plugins')
    const features = body.data.map((it: { feature: string }) => it.feature)
    const [greeting, hours, password] = ['acme.greeting', feature, 'link.passwordProtection'].map(
      it => features.indexOf(it),
    )
    expect(greeting).toBeLessThan(hours)
    expect(hours).toBeLessThan(password)
    // It counts nothing, so the thread that counts does not load it.
    const { id, shortCode } = await createLink(server)
    await server.get(`/${shortCode}`)
    const counted = async () => (await server.api('GET', `/links/${id}/analytics`)).body.data.totals
    await expect.poll(counted).toMatchObject({ visits: 1 })
    const read = readdirSync(join(dataDir, 'plugins')).filter(name => name.startsWith('thread-'))
    expect(read).toEqual(['thread-0'])
    for (const name of read) chmodSync(join(dataDir, 'plugins', name), 0o600)
    chmodSync(file, 0o600)
    expect(openToOthers(dataDir)).toEqual([])
  },
)

it('goes on when a plugin would end the process, at once or later, and names it', async () => {
  const { dataDir, plugins } = newFolder()
  mkdirSync(join(dataDir, 'plugins'), { recursive: true })
  writeFileSync(join(dataDir, 'plugins/ends.js'), 'process.exit(0)')
  writeFileSync(
    join(dataDir, 'plugins/later.js'),
    `import { isMainThread } from 'node:worker_threads'
     import { definePlugin } from 'linnet/plugin'
     if (isMainThread) setTimeout(() => process.exit(0), 2_000)
     export default definePlugin({ feature: 'acme.later', about: 'Ends the process later.' })`,
  )
  const server = await serve({ dataDir })
  expect(await server.logged(/^ends\.js does not run/)).toMatchObject({
    message: 'ends.js does not run: loading it fails: it ends the process (ends.js:1)',
  })
  await server.logged(/^acme\.later failed outside of its hooks/)
  expect((await server.get('/health/live')).status).toBe(200)
  expect(await plugins('list')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(
      'Does not run: loading it fails: it ends the process (ends.js:1).',
    ),
  })
})

itAtNight('adds a plugin that leaves a failure behind, and says so', async () => {
  const { plugins } = newFolder()
  const stray = copyOfFixture()
  edit(join(stray, 'index.js'), it => `${it}\nPromise.reject(new Error('left alone'))`)
  expect(await plugins('add', stray)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('is installed'),
    stderr: expect.stringContaining('A plugin failed outside its hooks: left alone\n'),
  })
})

itAtNight('reads no plugin from outside with PLUGINS=none', async () => {
  const { dataDir, plugins } = await folderWithHours({ PLUGINS: 'none' })
  const hanging = 'process.exit(3)'
  writeFileSync(join(dataDir, 'plugins/hanging.js'), hanging)
  const server = await serve({ dataDir, env: { PLUGINS: 'none' } })
  expect((await server.get('/health/live')).status).toBe(200)
  expect((await plugins('list')).stdout).toMatch(
    /^off {2}linnet-plugin-hours +Not loaded, because PLUGINS does not list it\.$/m,
  )
})

itAtNight('tries a plugin without installing it', async () => {
  const { dataDir, plugins } = newFolder()
  const good = await plugins('check', fixture)
  expect(good.stdout).toMatch(/^ok {6}starts\n/m)
  expect(good.stdout).toMatch(
    /linnet-plugin-hours 1\.0\.0 passes the check: acme\.hours can be used\.\n$/,
  )
  expect(readdirSync(dataDir)).toEqual([])
})

itAtNight('says which checks a plugin fails, without installing it', async () => {
  const { plugins } = newFolder()
  const bad = copyOfFixture()
  edit(join(bad, 'index.js'), it => it.replace(/of: .*,/, "of: () => 'Gecko',"))
  const { code, stdout, stderr } = await plugins('check', bad)
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'linnet-plugin-hours 1.0.0 fails the check.\n',
  })
  expect(stdout).toMatch(/^failed {2}reads nothing into an empty visit\n {8}/m)
})

/** A new folder with the plugin already installed: a copy of the first. */
async function folderWithHours(env = {}) {
  installed ??= linnet(['plugins', 'add', fixture], { env: offline(withHours) })
  expect(await installed).toMatchObject({ code: 0 })
  const folder = newFolder(env)
  cpSync(withHours, folder.dataDir, { recursive: true })
  return folder
}

function openToOthers(folder: string): readonly string[] {
  return filesIn(folder).filter(it => (statSync(join(folder, it)).mode & 0o077) !== 0)
}
