// The entry point of the single binary. It unpacks the program into a cache, once per version, and runs it from
// there: threads, the compiled part of better-sqlite3 and the assets for browsers have to be files.
const fs = require('node:fs')
const { createRequire } = require('node:module')
const { homedir, tmpdir } = require('node:os')
const { dirname, isAbsolute, join } = require('node:path')
const { getAsset, getRawAsset } = require('node:sea')
const { runInThisContext } = require('node:vm')

const { version, addon, sizes } = JSON.parse(getAsset('files.json', 'utf8'))
const dayMs = 86_400_000
/** How long an unused version is kept, in milliseconds. A running process marks its version as used every day. */
const keptMs = 7 * dayMs
/** Unpacking takes seconds. What is older was interrupted; supervisors that try again and again would fill the disk. */
const unfinishedMs = 600_000
const unfinished = '.next-'

const [first, ...others] = process.argv.slice(2)
if (first === '--eval') runInThisContext(others[0])
else start()

function start() {
  const tried = []
  for (const home of homes()) {
    try {
      const folder = unpack(home)
      keepInUse(folder)
      sweep(home)
      return run(folder)
    } catch (error) {
      tried.push(`${home}: ${error.message}`)
    }
  }
  const isTooOld = tried.some(why => /\bGLIBC/.test(why))
  const remedy = isTooOld
    ? 'Linnet needs glibc 2.34 or newer, as Debian 12 and Ubuntu 22.04 have, or its container image.'
    : 'Linnet finds no folder for the files of its program. Set XDG_CACHE_HOME to one that may be written and run from.'
  console.error([remedy, ...tried].join('\n'))
  process.exitCode = 1
}

/** The places for the cache, the best first. systemd names the first one for a unit with CacheDirectory. */
function homes() {
  const { CACHE_DIRECTORY = '', XDG_CACHE_HOME = '' } = process.env
  const caches = [CACHE_DIRECTORY.split(':')[0], XDG_CACHE_HOME, ...cacheAtHome()]
  return [
    ...caches.filter(isAbsolute).map(cache => join(cache, 'linnet')),
    // Everybody may write there, so its owner is checked.
    join(tmpdir(), `linnet-${process.getuid?.() ?? 'program'}`),
  ]
}

/** A user who is not in the user database may have no home. */
function cacheAtHome() {
  try {
    return [join(homedir(), '.cache')]
  } catch {
    return []
  }
}

/** The complete folder of this version in that place. Throws if it cannot be there. */
function unpack(home) {
  makeOwn(home)
  const folder = join(home, version)
  if (isWhole(folder)) return folder
  sweep(home)
  const next = fs.mkdtempSync(join(home, unfinished))
  try {
    for (const path of Object.keys(sizes)) {
      fs.mkdirSync(dirname(join(next, path)), { recursive: true })
      fs.writeFileSync(join(next, path), new Uint8Array(getRawAsset(path)))
    }
    // Fails here if the file system does not allow executables.
    process.dlopen({ exports: {} }, join(next, addon))
    putInPlace(next, folder)
    return folder
  } finally {
    fs.rmSync(next, { recursive: true, force: true })
  }
}

/** Renames in one step, so that a folder with that name is always complete. Another process may have been faster. */
function putInPlace(next, folder) {
  try {
    fs.renameSync(next, folder)
  } catch (error) {
    if (isWhole(folder)) return
    if (!fs.existsSync(folder)) throw error
    fs.renameSync(folder, fs.mkdtempSync(`${next}-broken-`))
    fs.renameSync(next, folder)
  }
}

/** After a power cut, files may exist but be empty. */
function isWhole(folder) {
  return Object.entries(sizes).every(
    ([path, size]) => fs.statSync(join(folder, path), { throwIfNoEntry: false })?.size === size,
  )
}

/** Its content is executed, so nobody else may have put it there. */
function makeOwn(home) {
  for (const folder of [dirname(home), home]) {
    if (!fs.existsSync(folder)) fs.mkdirSync(folder, { mode: 0o700 })
  }
  const found = fs.lstatSync(home)
  const { uid, mode } = found
  if (!found.isDirectory()) throw new Error('it is no folder')
  if (process.getuid === undefined) return
  if (uid !== process.getuid()) throw new Error(`it belongs to uid ${uid}`)
  if ((mode & 0o022) !== 0) throw new Error('others may write to it')
}

function keepInUse(folder) {
  const touch = () => fs.utimesSync(folder, new Date(), new Date())
  touch()
  setInterval(() => fs.existsSync(folder) && touch(), dayMs).unref()
}

/** Removes versions that nobody has run lately, and remains of interrupted unpacking. */
function sweep(home) {
  for (const name of fs.readdirSync(home)) {
    const path = join(home, name)
    const usedAt = fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NaN
    const mayStayMs = name.startsWith(unfinished) ? unfinishedMs : keptMs
    if (Date.now() - usedAt > mayStayMs) fs.rmSync(path, { recursive: true, force: true })
  }
}

/**
 * Behaves like `node FILE` if the argument is a JavaScript file: the program starts its own processes and npm
 * that way.
 */
function run(folder) {
  const args = [first, ...others].filter(it => it !== undefined)
  if (args[0] === '--enable-source-maps') {
    process.setSourceMapsEnabled(true)
    args.shift()
  }
  const isScript = isAbsolute(args[0] ?? '') && /\.[cm]?js$/.test(args[0])
  const script = isScript ? args.shift() : join(folder, 'dist/main.js')
  process.argv = [process.execPath, script, ...args]
  // Only code in a file can import others.
  createRequire(join(folder, 'run.cjs'))('./run.cjs')(script)
}
