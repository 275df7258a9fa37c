// `node run.mjs smoke binary` tests the single binary of this machine: with an empty environment, without Node, and
// with
// a cache that is broken, old, or shared by two programs that start at once.
import { deepStrictEqual, match, strictEqual } from 'node:assert'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { addedSmallPlugin, makeSmallPlugin } from './small-plugin.mjs'

const root = resolve(import.meta.dirname, '../..')
const binary = resolve(
  process.argv[2] ?? join(root, `out/linnet-${process.platform}-${process.arch}`),
)
const folder = mkdtempSync(join(tmpdir(), 'linnet-binary-'))
const cache = join(folder, 'cache')
const version = /^\d+\.\d+\.\d+\n$/
/** The libraries of C and C++ that even the smallest Debian, Ubuntu or Fedora has. */
const everywhere = /\/(ld-linux-.+|lib(c|m|dl|pthread|stdc\+\+|gcc_s))\.so\.\d$/
const elevenMinutesAgo = new Date(Date.now() - 660_000)
const aWeekAndADayAgo = new Date(Date.now() - 8 * 86_400_000)

try {
  await laysItsFilesOnce()
  mendsAndSweepsItsCache()
  saysThatItFindsNoFolder()
  addsAPluginByNpm()
  runsWithoutNode()
  const { status } = spawnSync(process.execPath, [join(root, 'test/smoke/run.mjs'), binary], {
    stdio: 'inherit',
  })
  strictEqual(status, 0)
  console.log('The binary holds what it promises.')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function laysItsFilesOnce() {
  const starts = [1, 2].map(() =>
    spawn(binary, ['--version'], { env: { XDG_CACHE_HOME: cache }, stdio: 'ignore' }),
  )
  for (const [code] of await Promise.all(starts.map(it => once(it, 'exit')))) strictEqual(code, 0)
  strictEqual(readdirSync(join(cache, 'linnet')).length, 1)
}

function mendsAndSweepsItsCache() {
  const home = join(cache, 'linnet')
  const [own = ''] = readdirSync(home)
  truncateSync(join(home, own, 'dist/main.js'), 10)
  for (const [name, date] of [
    ['0123456789abcdef', aWeekAndADayAgo],
    ['.next-abc', elevenMinutesAgo],
  ]) {
    mkdirSync(join(home, name))
    utimesSync(join(home, name), date, date)
  }
  match(say(['--version']), version)
  const isOther = name => name !== own && !name.includes('-broken-')
  deepStrictEqual(readdirSync(home).filter(isOther), [])
}

function saysThatItFindsNoFolder() {
  const env = { XDG_CACHE_HOME: '/proc', HOME: '/proc', TMPDIR: '/proc' }
  const { status, stderr } = spawnSync(binary, ['--version'], { env, encoding: 'utf8' })
  strictEqual(status, 1)
  match(stderr, /^Linnet finds no folder for the files of its program\. Set XDG_CACHE_HOME/)
}

/** npm is a script, which the binary runs as Node would. */
function addsAPluginByNpm() {
  const plugin = join(folder, 'plugin')
  makeSmallPlugin(plugin)
  const env = { LINNET_DATA_DIR: join(folder, 'data'), PATH: process.env.PATH }
  match(say(['plugins', 'add', plugin], env), addedSmallPlugin)
}

/** Runs where only the linked libraries exist: no Node, no shell, no name for the user. */
function runsWithoutNode() {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') {
    return console.log('NOT TESTED WITHOUT NODE: only root can do that, on Linux.')
  }
  const system = join(folder, 'system')
  const linked = execFileSync('ldd', [binary], { encoding: 'utf8' })
  for (const [path] of linked.matchAll(/\/\S+(?= \()/g)) {
    match(path, everywhere)
    mkdirSync(join(system, dirname(path)), { recursive: true })
    copyFileSync(path, join(system, path))
  }
  copyFileSync(binary, join(system, 'linnet'))
  mkdirSync(join(system, 'tmp'))
  chmodSync(join(system, 'tmp'), 0o1777)
  chmodSync(folder, 0o755)
  const begunAt = performance.now()
  strictEqual(existsSync(join(system, 'tmp/linnet-4242')), false)
  match(inside(system, ['--version']).stdout, version)
  console.log(`The first start took ${Math.round(performance.now() - begunAt)} ms.`)
  const added = inside(system, ['plugins', 'add', 'linnet-plugin-hours'])
  match(added.stderr, /^npm was not found\./)
}

function inside(system, args) {
  const env = { LINNET_DATA_DIR: '/tmp/data', PATH: process.env.PATH }
  const inThere = ['--userspec=4242:4242', system, '/linnet', ...args]
  return spawnSync('chroot', inThere, { env, encoding: 'utf8' })
}

function say(args, env = {}) {
  return execFileSync(binary, args, { env: { XDG_CACHE_HOME: cache, ...env }, encoding: 'utf8' })
}
