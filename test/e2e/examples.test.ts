import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isNight, itAtNight } from '../at-night.ts'
import { createProject } from './authors-project.ts'
import { runJob } from './long-work.ts'
import { linnet, root, temporaryFolder } from './program.ts'
import { createLink, type Server, serve, serverEnv, token } from './server.ts'
import { senderEnv, sendTo, startReceiver } from './webhook-receiver.ts'

const run = promisify(execFile)
const examples = join(root, 'examples')
const names = readdirSync(examples)
  .filter(file => /^[a-z-]+\.ts$/.test(file))
  .map(file => file.replace('.ts', ''))

/** A project of an author, with the examples as its source. Compiling them takes seconds, so only the night has one. */
const project = isNight ? createProject('examples') : ''
afterAll(() => isNight && rmSync(join(project, '..'), { recursive: true }))

beforeAll(async () => {
  if (!isNight) return
  const filter = (path: string) => !path.endsWith('.json') && !path.endsWith('.md')
  cpSync(examples, join(project, 'src'), { recursive: true, filter })
  cpSync(join(examples, 'link-in-bio'), join(project, 'dist/link-in-bio'), { recursive: true })
  await run('node_modules/typescript/bin/tsc', [], { cwd: project })
})

itAtNight('are green as their authors test them', async () => {
  const tests = names.map(name => `dist/${name}.test.js`)
  // In one process, which reads Linnet once.
  const options = ['--test', '--experimental-test-isolation=none']
  const { stdout } = await run(process.execPath, [...options, ...tests], { cwd: project })
  expect(stdout).toMatch(/^. fail 0$/m)
  expect(Number(/^. pass (\d+)$/m.exec(stdout)?.[1])).toBeGreaterThan(names.length * 9)
})

it('have Italian for all that visitors read', () => {
  const { visitors } = JSON.parse(readFileSync(join(root, 'dist/texts.json'), 'utf8'))
  const italian = readFileSync(join(examples, 'italian.ts'), 'utf8')
  const isThere = (text: string) =>
    [`'${text}':`, `"${text}":`, `  ${text}:`].some(key => italian.includes(key))
  expect(visitors.filter((text: string) => !isThere(text))).toEqual([])
})

itAtNight(
  'are packages that run side by side in one instance, and do there what they are for',
  async () => {
    const dataDir = temporaryFolder()
    const env = { ...serverEnv(dataDir), npm_config_registry: 'http://127.0.0.1:9' }
    const [first = '', ...others] = names
    await installAtOnce(dataDir, others.map(packageOf))
    // A new plugin is tried together with all that are there.
    const { code, stderr } = await linnet(['plugins', 'add', packageOf(first)], { env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    await expectAllWork(dataDir)
  },
)

it('are files that run side by side in one instance, and do there what they are for', async () => {
  const dataDir = temporaryFolder()
  const filter = (path: string) => !/\.(json|md|test\.ts)$/.test(path)
  cpSync(examples, join(dataDir, 'plugins'), { recursive: true, filter })
  await expectAllWork(dataDir)
})

/** All of them run, and each is asked for what it does. */
async function expectAllWork(dataDir: string): Promise<void> {
  const server = await serve({ dataDir, env: senderEnv })
  expect(server.log.filter(({ level }) => level !== 'info')).toEqual([])
  const { body } = await server.api('GET', '/admin/plugins')
  const custom = body.data.filter((it: { feature: string }) => it.feature.startsWith('custom.'))
  expect(
    custom.map((it: { enabled: boolean; problem: unknown }) => [it.enabled, it.problem]),
  ).toEqual(names.map(() => [true, null]))
  const { shortCode } = await createLink(server, { announced: true })
  expect(shortCode).toMatch(/^[a-z]+-[a-z]+-\d+$/)
  expect((await server.get(`/${shortCode}`)).text).toContain('This link leads to example.com')
  await createLink(server, { business_hours: '00:00-23:59' })
  const italian = { accept: 'text/html', 'accept-language': 'it' }
  const secret = await createLink(server, { password: 'open sesame' })
  expect((await server.get(`/${secret.shortCode}`, italian)).text).toContain(
    '<h1>Questo link è protetto</h1>',
  )
  expect((await server.api('GET', '/languages')).body.data).toEqual([
    { lang: 'it', name: 'Italiano', dir: 'ltr' },
  ])
  await expectDoors(server)
}

/** A webhook sender, a door for clients of YOURLS, cards, an importer and a fallback for unknown codes. */
async function expectDoors(server: Server): Promise<void> {
  const receiver = await startReceiver()
  await sendTo(server, receiver)
  const far = 'https://example.org/yourls'
  const asked = { signature: token, action: 'shorturl', url: far, keyword: 'far', format: 'json' }
  const made = await server.get(`/yourls-api.php?${new URLSearchParams(asked)}`)
  expect(made.body).toMatchObject({ status: 'success', shorturl: `${server.url}/far` })
  expect((await server.get('/FAR.')).headers.get('location')).toBe(far)
  const { shortCode } = await createLink(server, { card_title: 'Spring' })
  const card = await server.get(`/${shortCode}`, { 'user-agent': 'facebookexternalhit/1.1' })
  expect(card.text).toContain('property="og:title" content="Spring"')
  const line = { url: 'https://example.org/old', code: 'old', created: '2020-02-03T04:05:06Z' }
  const { body } = await server.api('POST', '/import/lines', { lines: JSON.stringify(line) })
  expect(body.data).toMatchObject([{ line: 1, problem: null }])
  expect((await server.get('/old')).headers.get('location')).toBe(line.url)
  const told = () => receiver.taken.filter(({ type }) => type === 'link.created').length
  await expect.poll(told).toBe(3)
}

itAtNight('need no build: those that are put into the folder of plugins run', async () => {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'plugins'), { recursive: true })
  for (const name of ['random-words.ts', 'dead-links.ts']) {
    cpSync(join(examples, name), join(dataDir, 'plugins', name))
  }
  const server = await serve({ dataDir })
  // No such name exists. One failure is none yet.
  const { id, shortCode } = await createLink(server, { original_url: 'https://gone.invalid/' })
  expect(shortCode).toMatch(/^[a-z]+-[a-z]+-\d+$/)
  expect((await runJob(server, 'custom.deadLinks.look')).outcome).toBe('succeeded')
  const { data } = (await server.api('GET', `/links/${id}`)).body
  expect(data).toMatchObject({ status: 'active' })
  expect((await server.api('GET', '/links?status=dead')).body.data).toEqual([])
})

itAtNight.each(['1', '0'])(
  'find links, leave visits out and show cards to programs alone, with LINNET_FAST_LANE=%s',
  async fastLane => {
    const dataDir = temporaryFolder()
    mkdirSync(join(dataDir, 'plugins'), { recursive: true })
    for (const name of ['lost-codes.ts', 'own-visits.ts', 'social-cards.ts']) {
      cpSync(join(examples, name), join(dataDir, 'plugins', name))
    }
    const server = await serve({ dataDir, env: { LINNET_FAST_LANE: fastLane } })
    const { id } = await createLink(server, { shortCode: 'spring' })
    const carded = await createLink(server, { card_title: 'Spring' })
    const statusOf = async (path: string, headers = {}) => (await server.get(path, headers)).status
    const totalsOf = async (of: string) =>
      (await server.api('GET', `/links/${of}/analytics`)).body.data.totals
    expect(await statusOf('/autumn')).toBe(404)
    expect(await statusOf('/SPRING.')).toBe(302)
    const program = { 'user-agent': 'UptimeRobot/2.0' }
    for (let visit = 0; visit < 3; visit += 1) expect(await statusOf('/spring', program)).toBe(302)
    expect(await statusOf('/spring')).toBe(302)

    const robot = { 'user-agent': 'facebookexternalhit/1.1' }
    for (let time = 0; time < 2; time += 1) {
      const card = await server.get(`/${carded.shortCode}`, robot)
      expect([card.status, card.headers.get('location')]).toEqual([200, null])
      expect(card.text).toContain('property="og:title" content="Spring"')
      expect(await statusOf(`/${carded.shortCode}`)).toBe(302)
    }
    // Visits are counted a moment later.
    await expect.poll(() => totalsOf(id)).toMatchObject({ visits: 2, bots: 0 })
    await expect.poll(() => totalsOf(carded.id)).toMatchObject({ visits: 2, bots: 2 })
  },
)

it('are all told of in their README', () => {
  const readme = readFileSync(join(examples, 'README.md'), 'utf8')
  const told = [...readme.matchAll(/^\| \[`([a-z-]+)`\]\(\1\.ts\) \|/gm)].map(([, name]) => name)
  expect(told.sort()).toEqual([...names].sort())
})

/** Does in seconds what `linnet plugins add` does for one package after the other. */
async function installAtOnce(dataDir: string, packages: readonly string[]): Promise<void> {
  const folder = join(dataDir, 'plugins')
  mkdirSync(folder)
  const cache = ['--cache', join(temporaryFolder(), 'cache'), '--offline']
  const quickly = [
    '--ignore-scripts',
    '--legacy-peer-deps',
    '--omit=dev',
    '--no-audit',
    '--no-fund',
  ]
  await run('npm', ['install', '--install-links', ...cache, ...quickly, ...packages], {
    cwd: folder,
  })
}

/** Turns an example into a package, as its author would. */
function packageOf(name: string): string {
  const folder = temporaryFolder()
  cpSync(join(project, `dist/${name}.js`), join(folder, 'dist/index.js'))
  const site = join(examples, name)
  if (existsSync(site)) cpSync(site, join(folder, 'dist', name), { recursive: true })
  const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
  const feature = /feature: '([^']+)'/.exec(readFileSync(join(examples, `${name}.ts`), 'utf8'))?.[1]
  const linnet = { ...manifest.linnet, feature }
  const own = { ...manifest, name: `linnet-plugin-${name}`, linnet }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(own))
  return folder
}
