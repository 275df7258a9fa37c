#!/usr/bin/env node
// `node run.mjs start|linnet|dev|build|binary|package|release|test|types|night|pages|postgres|faults|smoke|deploy|image|bench|screenshots|format [arguments]`: installs
// and builds first if needed, so that `npm start` and `npm test` each work as the only command on a fresh clone.
// It runs on any Node from 18: if that is too old for the rest, it fetches a newer one.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import nodeModule from 'node:module'
import { constants, tmpdir } from 'node:os'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const web = 'plugins/dashboard/web'
const shared = ['package.json', 'package-lock.json', 'tsconfig.json']
const sources = [
  ...['client', 'core', 'remote', 'tools', 'plugins', 'config', '.ci/release', 'tsup.config.ts'],
  ...['test/harness.ts', 'test/conformance.ts', 'test/lets-nobody-in.ts'],
  ...['test/inside.ts', 'test/with-ours.ts'],
  ...['test/open-storage.ts', 'test/open-on-server.ts'],
  ...shared,
]
const program = 'dist/main.js'
const dashboard = 'dist/dashboard/index.html'
/** What the dashboard is made of beside its own folder. */
const ofDashboard = [
  ...['client/operations.ts', 'plugins/organization/imports/reading/column-names.ts'],
  ...['vite.config.ts', ...shared],
]
const types = 'dist/plugin.d.ts'
const apiTypes = `${web}/api/schema.d.ts`
const clientTypes = 'client/api.d.ts'
/** What the compiler declares of all sources when it checks them; `tsup.types.config.ts` reads it. */
const declarations = '.types'
/**
 * Named by its path, because an older compiler, which writes declarations, has the same name among the
 * installed tools.
 */
const compiler = '../typescript-7/bin/tsc'
const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP']
const commands = {
  start,
  linnet,
  dev,
  build,
  binary,
  package: pack,
  release,
  test,
  types: checkAllTypes,
  night,
  pages,
  postgres,
  faults,
  smoke,
  deploy,
  image,
  bench,
  screenshots,
  format,
}

/** The version to fetch if Node is too old. */
const newerNode = '24.21.0'
/** The version in the single binary. From 25 on, Node needs a library that small systems lack: libatomic. */
const binaryNode = '24.21.0'
/** macOS runs only binaries signed on a Mac, so those are built there: `node run.mjs release darwin-arm64`. */
const releasedPlatforms = ['linux-x64', 'linux-arm64']
/** The versions of Node that the program is tested on. */
const supportedNodes = ['22.15.0', '22.23.3', '24.21.0', '26.10.0']
/** The versions of Node that it refuses with a clear message. */
const refusedNodes = ['18.20.8', '22.14.0']

/** What the client for programs elsewhere is tried in, besides Node and a browser. */
const testedDeno = '2.9.6'
const testedBun = '1.4.5'

/** Types that are being written or checked now, for all who wait for them. */
let writing
let checking

/** A tool failed and has already said why. */
class Failed extends Error {}

process.chdir(fileURLToPath(new URL('.', import.meta.url)))
const [name, ...args] = process.argv.slice(2)
const command = commands[name]
if (!command) stop(`Name a command: node run.mjs ${Object.keys(commands).join('|')}.`)
// Without Node-API 10, better-sqlite3 ends the process without a message; without hooks, no plugin is loaded.
if (Number(process.versions.napi) < 10 || !('registerHooks' in nodeModule)) await goOnInNewerNode()
endWithParent()
await command(args).catch(error => {
  if (!(error instanceof Failed)) throw error
  stop(error.message)
})

/** The server, in this very process, so that it receives signals itself and its exit code is ours. */
async function start(args) {
  await linnet(['serve', ...args])
}

/** Any command of the program, such as `linnet backup`, in a Node that is new enough. */
async function linnet(args) {
  await install()
  await bundle()
  process.argv = [process.argv[0], join(process.cwd(), program), ...args]
  await import(`./${program}`)
}

/** The server, rebuilt and restarted after each change, with vite beside it for the dashboard. */
async function dev(args) {
  await install()
  await writeApiTypes()
  const serve = ['node', '--enable-source-maps', program, 'serve', ...args].join(' ')
  await Promise.all([
    tool('tsup', ['--watch', '--onSuccess', serve], 'The watch ended.'),
    tool('vite', [], 'The dashboard ended.'),
  ])
}

/** Everything that is published: the program, the dashboard, and the types that plugin authors import. */
async function build() {
  await install()
  await tool('tsup', [], 'The build failed.')
  await tool('vite', ['build'], 'The dashboard could not be built.')
  await writeTypes()
}

/** `out/linnet-linux-x64`, or for the given platforms: one file each, which contains Node and everything else. */
async function binary(platforms) {
  await build()
  const { makeBinary } = await import('./.ci/release/binary.mjs')
  const builder = await fetchNode(binaryNode)
  for (const platform of platforms.length > 0
    ? platforms
    : [`${process.platform}-${process.arch}`]) {
    const output = `out/linnet-${platform}${platform.startsWith('win32') ? '.exe' : ''}`
    mkdirSync('out', { recursive: true })
    await makeBinary(output, { platform, builder, node: await fetchNode(binaryNode, platform) })
    say(`${output} is made.`)
  }
}

/** `out/linnet-0.1.0.tgz`, the package for npm. */
async function pack() {
  await build()
  const { packForNpm } = await import('./.ci/release/pack.mjs')
  mkdirSync('out', { recursive: true })
  say(`${packForNpm('out')} is made.`)
}

/**
 * The files of a release, in `out/`: binaries, the npm package, the image, their list of components, the notes, and
 * checksums. With a version, that is named and dated first. Nothing is published: `docs/releasing.md` says how.
 */
async function release(args) {
  const [version] = args.filter(it => /^\d/.test(it))
  const named = args.filter(it => it !== version)
  const platforms = named.length > 0 ? named : releasedPlatforms
  if (version !== undefined) {
    const { nameVersion } = await import('./.ci/release/name-version.mjs')
    nameVersion(version, new Date().toISOString().slice(0, 10))
  }
  rmSync('out', { recursive: true, force: true })
  await binary(platforms)
  const { makeImage } = await import('./.ci/release/make-image.mjs')
  const missing = makeImage('out', platforms)
  if (missing !== undefined) say(`The image was NOT made: that needs ${missing}.`)
  const { describeApi } = await import('./.ci/release/describe-api.mjs')
  const lacking = await describeApi('out')
  if (lacking !== undefined) say(`The Python client was NOT made: that needs ${lacking}.`)
  const { completeRelease } = await import('./.ci/release/release.mjs')
  completeRelease('out', binaryNode)
  say('out/ has the release. docs/releasing.md says how to publish it.')
}

/** Every check and test; with arguments, only the tests that they name. */
async function test(args) {
  await install()
  if (args.length > 0) {
    await bundleWithTypes(!existsSync(types))
    process.exit(await runTests(args))
  }
  await together(checkTypes(), bundleWithTypes(isOlder(types, sources)))
  // The tests wait for a fifth of their time, and need none of this.
  const [code] = await together(runTests(['--project=!outside']), checkDashboard(), lint())
  process.exit(code)
}

/** The types alone, of the dashboard too. */
async function checkAllTypes() {
  await install()
  await checkTypes()
  await checkDashboard()
}

async function checkDashboard() {
  await compile(web, ['--noEmit'], 'The types of the dashboard are wrong.')
}

async function lint() {
  await tool('biome', ['ci', '--error-on-warnings', '.'], 'The lint is wrong: npm run format.')
}

/** Checks the types of all but the dashboard and writes what they declare, because most of both is the same work. */
function checkTypes() {
  checking ??= checkTypesOnce()
  return checking
}

async function checkTypesOnce() {
  await writeApiTypes()
  const output = ['--noEmit', 'false', '--emitDeclarationOnly', '--outDir', declarations]
  await compile('.', output, 'The types are wrong.')
  copyFileSync(clientTypes, join(declarations, clientTypes))
}

/** Of a project, only what has changed since the last time is compiled. */
async function compile(project, output, failure) {
  const known = join(declarations, `${basename(resolve(project))}.tsbuildinfo`)
  const options = [...output, '--incremental', '--tsBuildInfoFile', known]
  await tool(compiler, [...options, '--project', project], failure)
}

/** The build that tests of the whole program need. Types take longer than most tests. */
async function bundleWithTypes(areWanted) {
  await bundle()
  if (!areWanted) return
  say('Writing the types for authors of plugins.')
  await writeTypes('--silent')
}

/** The tests of which `npm test` runs the short form, by `test/at-night.ts` or of properties, with all that they have. */
async function night(args) {
  await install()
  await bundleWithTypes(!existsSync(types))
  const files = readdirSync('test', { recursive: true })
    .filter(file => file.endsWith('.test.ts'))
    .map(file => join('test', file))
    .filter(file => /\/at-night\.ts'|'fast-check'/.test(readFileSync(file, 'utf8')))
    // Of the project `outside`.
    .concat('test/plugins/organization/tags.test.ts')
  process.env.LINNET_TEST_NIGHT = '1'
  await tool('vitest', ['run', ...(args.length > 0 ? args : files)], 'Something is wrong.')
  if (args.length === 0) await postgres([])
}

/** Every detail of the dashboard's pages, in a browser. */
async function pages(args) {
  await install()
  await bundle()
  const config = ['--config', 'test/browser/vitest.config.ts', '--root', '.']
  await tool('vitest', ['run', ...config, ...args], 'A page is wrong.')
}

/**
 * The tests on a PostgreSQL server of their own: those for every database, and those for PostgreSQL alone.
 * Skipped if its programs are not installed.
 */
async function postgres(args) {
  await install()
  const { findPrograms } = await import('./test/postgres/server.mjs')
  if (!findPrograms()) {
    say('PostgreSQL was NOT tried: its programs initdb and postgres are not installed here.')
    return
  }
  await bundle()
  const config = ['--config', 'test/postgres/vitest.config.ts', '--root', '.']
  await tool('vitest', ['run', ...config, ...args], 'Something does not work on PostgreSQL.')
}

/** The long tests that kill the program over and over: minutes, not seconds. */
async function faults(args) {
  await install()
  await bundle()
  const config = ['--config', 'test/faults/vitest.config.ts']
  await tool('vitest', ['run', ...config, ...args], 'A promise was not kept.')
}

/**
 * The built program on every supported Node: start, a link, a visit, stop, start, count. Older ones must be
 * refused. `binary`: the single binary for this machine, also where there is no Node. `client`: what calls the API, in Deno
 * and Bun.
 */
async function smoke([what]) {
  await install()
  if (what === 'binary') {
    await binary([])
    return process.exit(await run(process.execPath, ['test/smoke/binary.mjs']))
  }
  await bundle()
  if (what === 'client') return smokeClient()
  const nodes = new Map()
  for (const version of [...supportedNodes, ...refusedNodes]) {
    nodes.set(version, await fetchNode(version))
  }
  // All at once, because each waits most of the time.
  await together(
    ...supportedNodes.map(async version => {
      const code = await run(nodes.get(version), ['test/smoke/run.mjs'])
      if (code !== 0) throw new Failed(`Linnet does not run on Node ${version}.`)
    }),
    ...refusedNodes.map(async version => {
      const code = await run(process.execPath, ['test/smoke/refused.mjs', nodes.get(version)])
      if (code !== 0) throw new Failed(`Node ${version} is not refused.`)
    }),
  )
}

async function smokeClient() {
  const os = process.platform
  const deno = `@deno/${os === 'linux' ? `linux-${process.arch}-glibc` : `${os}-${process.arch}`}`
  const bun = `@oven/bun-${os}-${process.arch === 'arm64' ? 'aarch64' : 'x64'}`
  const files = [
    await fetchPackage(`${deno}@${testedDeno}`, 'deno'),
    await fetchPackage(`${bun}@${testedBun}`, 'bin/bun'),
  ]
  const missing = files.includes(undefined)
  if (missing) stop('Deno and Bun could not be fetched from the npm registry.')
  process.exit(await run(process.execPath, ['test/smoke/clients.mjs', ...files]))
}

/**
 * Checks the files of docs/deploy and the recipes of the documentation with the programs they are for, if
 * installed.
 */
async function deploy(args) {
  await install()
  await bundleWithTypes(!existsSync(types))
  const config = ['--config', 'test/deploy/vitest.config.ts', '--root', '.']
  await tool('vitest', ['run', ...config, ...args], 'A file for deploying is wrong.')
}

/** The image, built and run by Debian's buildah, podman and runc if they are installed. */
async function image() {
  process.exit(await run(process.execPath, ['test/image/run.mjs']))
}

/**
 * Redirects of a deployed Linnet compared with plain node:http and nginx. `analytics`: queries on a year of
 * visits. `dashboard`: its first load in Chromium.
 */
async function bench(args) {
  await install()
  await bundle()
  const name = ['analytics', 'dashboard', 'nodes'].find(it => it === args[0]) ?? 'run'
  process.exit(await run(process.execPath, [`test/bench/${name}.mjs`, ...args]))
}

/** The pictures of the dashboard in docs/images/, taken in Chromium after two months of visits. */
async function screenshots(args) {
  await install()
  await bundle()
  const config = ['--config', 'test/screenshots/vitest.config.ts']
  await tool('vitest', ['run', ...config, ...args], 'The pictures could not be taken.')
}

/** Formats everything, and applies the automatic fixes of the linter. */
async function format(args) {
  await install()
  await tool('biome', ['check', '--write', ...(args.length > 0 ? args : ['.'])], 'See above.')
}

/** Runs this command in a Node that is new enough, and exits as it does. */
async function goOnInNewerNode() {
  const node = await fetchNode(newerNode)
  const PATH = [dirname(node), process.env.PATH].join(delimiter)
  // Through the channel the other process notices if this one is killed, so that nothing is left behind.
  const options = { env: { ...process.env, PATH }, channel: true }
  process.exit(await run(node, process.argv.slice(1), options))
}

/** Exits with the process that started this one, even if that had no time to say so. */
function endWithParent() {
  if (!process.channel) return
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  process.channel.unref()
}

/** The path of exactly that version of Node, from the npm registry; kept in `.node/`. */
async function fetchNode(version, platform = `${process.platform}-${process.arch}`) {
  const [os, cpu] = platform.split('-')
  // The package that `node` would install by a script, which npm may be told not to run.
  const prefix = platform === 'darwin-arm64' ? 'node-bin' : 'node'
  const name = `${prefix}-${os === 'win32' ? 'win' : os}-${cpu}`
  const folder = join(process.cwd(), '.node', `${version}-${platform}`)
  const node = join(folder, 'node_modules', name, 'bin', os === 'win32' ? 'node.exe' : 'node')
  if (existsSync(node)) return node
  say(`Fetching Node ${version} from the npm registry; this is ${process.versions.node}.`)
  const other = ['--force', `--os=${os}`, `--cpu=${cpu}`]
  if (await isFetched(folder, `${name}@${version}`, other, node)) return node
  return stop(
    `Node ${version} could not be fetched from the npm registry: install Node 22.15, 23.6 or newer, as from https://nodejs.org, and try again.`,
  )
}

/** The path of a file of a package from the npm registry, kept in `.node/`; undefined if it cannot be fetched. */
async function fetchPackage(spec, path) {
  const folder = join(process.cwd(), '.node', spec.replace(/^@/, '').replaceAll(/[/@]/g, '-'))
  const file = join(folder, 'node_modules', spec.replace(/@[^@]*$/, ''), path)
  if (existsSync(file)) return file
  say(`Fetching ${spec} from the npm registry.`)
  return (await isFetched(folder, spec, [], file)) ? file : undefined
}

async function isFetched(folder, spec, options, file) {
  const quick = ['--fetch-retries=0', '--no-save', '--no-package-lock', '--no-audit', '--no-fund']
  const all = ['--prefix', folder, '--ignore-scripts', '--silent', ...quick, ...options]
  const code = await run('npm', ['install', ...all, spec], { quietly: true })
  return code === 0 && existsSync(file)
}

/** Installs the dependencies if there are none yet, or if the lockfile has changed since. */
async function install() {
  if (modified('node_modules/.package-lock.json') >= modified('package-lock.json')) return
  say('Installing the dependencies.')
  const code = await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], {
    quietly: true,
  })
  if (code !== 0) stop('The dependencies could not be installed: see above.')
}

/** Builds what is missing or older than its sources: the program, the dashboard. */
async function bundle() {
  const quietly = { quietly: true }
  if (isOlder(program, sources)) {
    say('Building.')
    await tool('tsup', ['--silent'], 'The build failed.', quietly)
  }
  if (isOlder(dashboard, [web, ...ofDashboard])) {
    say('Building the dashboard.')
    const args = ['build', '--logLevel', 'warn']
    await tool('vite', args, 'The dashboard could not be built.', quietly)
  }
}

/** The types that plugin authors and callers of the API compile and test against. */
async function writeTypes(...args) {
  await checkTypes()
  await tool('tsup', ['--config', 'tsup.types.config.ts', ...args], 'The types failed.')
}

/** Generates the types of the API for the dashboard and the client, so that code that does not fit it no longer compiles. */
function writeApiTypes() {
  writing ??= writeApiTypesOnce()
  return writing
}

async function writeApiTypesOnce() {
  const made = [apiTypes, clientTypes]
  if (!made.some(file => isOlder(file, [...sources, 'test/write-api-types.ts']))) return
  say('Writing the types of the API.')
  const { runnerImport } = await import('vite')
  const { module } = await runnerImport('./test/write-api-types.ts', { configFile: false })
  module.writeApiTypes(apiTypes)
}

/** Runs the tests and ends with `N passed, N failed`; an error outside a test counts as one failure. */
async function runTests(args) {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-test-'))
  const report = join(folder, 'report.json')
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const code = await run('node_modules/.bin/vitest', ['run', ...reporters, ...args])
    if (!existsSync(report)) return code || 1
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
    const unloaded = testResults.filter(it => it.status === 'failed' && !it.assertionResults.length)
    const failed = Math.max(numFailedTests + unloaded.length, code === 0 ? 0 : 1)
    console.log(`${numPassedTests} passed, ${failed} failed`)
    return code
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Runs an installed tool; throws if it fails. */
async function tool(name, args, failure, options) {
  const code = await run(`node_modules/.bin/${name}`, args, options)
  if (code !== 0) throw new Failed(`${failure} (${name} ${args.join(' ')})`)
}

/** What each resolves to. Waits for all of it, even after a failure, so that nothing is left running. */
async function together(...works) {
  const ends = await Promise.allSettled(works)
  for (const { reason } of ends) if (reason) throw reason
  return ends.map(({ value }) => value)
}

/**
 * Runs a command to its end and returns its exit code. It leads a process group of its own, which receives our
 * signals, so that nothing it started is left behind. With `quietly`, its output goes to stderr, because stdout
 * belongs to the server's log.
 */
async function run(file, args, { quietly = false, channel = false, env = process.env } = {}) {
  const stdio = ['inherit', quietly ? 2 : 'inherit', 'inherit', ...(channel ? ['ipc'] : [])]
  const child = spawn(file, args, { detached: true, stdio, env })
  const passOn = signal => process.kill(-child.pid, signal)
  for (const signal of passedOn) process.on(signal, passOn)
  try {
    const [code, signal] = await once(child, 'exit')
    return code ?? 128 + constants.signals[signal]
  } catch (error) {
    say(`${file} cannot be run: ${error.message}`)
    return 127
  } finally {
    for (const signal of passedOn) process.off(signal, passOn)
  }
}

/** Whether a file is missing or older than any of its sources. */
function isOlder(file, sources) {
  return modified(file) <= Math.max(...sources.map(newest))
}

/** When a file, or anything in a folder, last changed. A deletion changes the folder itself. */
function newest(path) {
  if (!existsSync(path)) return 0
  const entries = statSync(path).isDirectory() ? readdirSync(path, { recursive: true }) : []
  const within = entries.map(entry => join(path, entry)).filter(it => isSourceOf(path, it))
  return Math.max(modified(path), ...within.map(modified))
}

/** Generated files are not sources, and the dashboard is not a source of the program. */
function isSourceOf(path, file) {
  return (
    ![apiTypes, clientTypes].includes(file) && (path === web || !`${file}/`.startsWith(`${web}/`))
  )
}

function modified(path) {
  return existsSync(path) ? statSync(path).mtimeMs : 0
}

function say(sentence) {
  console.error(sentence)
}

function stop(sentence) {
  say(sentence)
  process.exit(1)
}
