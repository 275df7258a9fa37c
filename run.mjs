#!/usr/bin/env node
// `node run.mjs start|dev|build|test|faults|bench [arguments]`: installs and builds first when that is
// needed, so that `npm start` and `npm test` each work as the only command on a fresh clone.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const sources = [
  ...['core', 'plugins', 'config', 'test/harness.ts', 'test/conformance.ts'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'tsup.config.ts'],
]
const program = 'dist/main.js'
const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP']
const commands = { start, dev, build, test, faults, bench }

process.chdir(fileURLToPath(new URL('.', import.meta.url)))
const [name, ...args] = process.argv.slice(2)
const command = commands[name]
if (command) await command(args)
else stop(`Say what to run: node run.mjs ${Object.keys(commands).join('|')}.`)

/** The server, in this very process: signals reach it and its exit code is ours. */
async function start(args) {
  await install()
  await bundle()
  process.argv = [process.argv[0], join(process.cwd(), program), 'serve', ...args]
  await import(`./${program}`)
}

/** The server, built and started again at each change. */
async function dev(args) {
  await install()
  const serve = ['node', '--enable-source-maps', program, 'serve', ...args].join(' ')
  await tool('tsup', ['--watch', '--onSuccess', serve], 'The watch ended.')
}

/** What is published: the program, and type declarations of what plugin authors import. */
async function build() {
  await install()
  await tool('tsup', [], 'The build failed.')
  await tool('tsup', ['--config', 'tsup.types.config.ts'], 'The type declarations failed.')
}

/** Everything that must hold; with arguments only the tests that they name. */
async function test(args) {
  await install()
  if (args.length === 0) {
    await tool('tsc', ['--noEmit'], 'The types are wrong.')
    await tool('biome', ['ci', '--error-on-warnings', '.'], 'The lint is wrong: npm run format.')
  }
  await bundle()
  process.exit(await runTests(args))
}

/** The long runs that kill, over and over: minutes, not seconds. */
async function faults(args) {
  await install()
  await bundle()
  const config = ['--config', 'test/faults/vitest.config.ts']
  await tool('vitest', ['run', ...config, ...args], 'A promise was not kept.')
}

/** The redirects measured against raw node:http. */
async function bench(args) {
  await install()
  await bundle()
  process.exit(await run(process.execPath, ['test/bench/run.mjs', ...args]))
}

/** Install when there is nothing installed yet, or the lockfile has changed since. */
async function install() {
  if (modified('node_modules/.package-lock.json') >= modified('package-lock.json')) return
  say('Installing the dependencies.')
  const code = await run('npm', ['ci', '--include=dev'], { quietly: true })
  if (code !== 0) stop('The dependencies could not be installed: see above.')
}

/** Build when there is no program yet, or a source has changed since. */
async function bundle() {
  if (modified(program) > Math.max(...sources.map(newest))) return
  say('Building.')
  await tool('tsup', ['--silent'], 'The build failed.', { quietly: true })
}

/** Run the tests and close with `N passed, N failed`; what fails outside a test is one failure. */
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

/** Run an installed tool and go on only when it succeeds. */
async function tool(name, args, failure, options) {
  const code = await run(`node_modules/.bin/${name}`, args, options)
  if (code !== 0) stop(`${failure} (${name} ${args.join(' ')})`)
}

/**
 * Run a command to its end and give its exit code. It leads a process group of its own, which gets our
 * signals, so that nothing it started is left behind. Quietly: its output goes to stderr, for stdout
 * belongs to the server's log.
 */
async function run(file, args, { quietly = false } = {}) {
  const stdio = ['inherit', quietly ? 2 : 'inherit', 'inherit']
  const child = spawn(file, args, { detached: true, stdio })
  const passOn = signal => process.kill(-child.pid, signal)
  for (const signal of passedOn) process.on(signal, passOn)
  try {
    const [code, signal] = await once(child, 'exit')
    return code ?? 128 + constants.signals[signal]
  } finally {
    for (const signal of passedOn) process.off(signal, passOn)
  }
}

/** When a file, or anything in a folder, last changed; deletions change the folder itself. */
function newest(path) {
  if (!existsSync(path)) return 0
  const within = statSync(path).isDirectory() ? readdirSync(path, { recursive: true }) : []
  return Math.max(modified(path), ...within.map(entry => modified(join(path, entry))))
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
