// `node .ci/release/program-folder.mjs FOLDER [ARCHITECTURE]`: only what is needed to run, for the image and the
// single binary. It takes what was built and installed here; the architecture is that of this machine by default.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(import.meta.dirname, '../..')
const countries = '@ip-location-db/geo-whois-asn-country-mmdb'

/**
 * Copies the program into a folder, with the files of other packages that it reads.
 *
 * @param {string} folder is made
 * @param {string} platform as better-sqlite3 calls it, as `linuxmusl-x64`
 */
export function makeProgramFolder(folder, platform) {
  const { name, version, license, type } = readManifest('.')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version, license, type }))
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true, filter: isRead })
  for (const name of withDependencies('pino')) copyPackage(folder, name, isRead)
  copyPackage(folder, 'better-sqlite3', path => isOfSqlite(path, platform))
  copyPackage(folder, countries, path => !/ipv[46]\.mmdb$/.test(path))
}

/** `linux-x64`, or `linuxmusl-x64` if the C library is Alpine's. */
export function platformHere(arch = process.arch) {
  const { platform } = process
  const isMusl = platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime
  return `${isMusl ? 'linuxmusl' : platform}-${arch}`
}

/** Leaves out documentation, source maps, types, and what only tests import. */
function isRead(path) {
  return (
    !/\.(map|d\.c?ts)$/.test(path) &&
    !/^(harness|conformance|inside)\.js$/.test(basename(path)) &&
    !/\/node_modules\/[^/]+\/(\.github|benchmarks?|docs|examples|test)$/.test(path)
  )
}

/** The package also contains the sources of SQLite and binaries for all platforms. */
function isOfSqlite(path, platform) {
  return (
    /better-sqlite3(\/(lib(\/.+)?|prebuilds|package\.json|LICENSE))?$/.test(path) ||
    path.endsWith(`/${platform}.node`)
  )
}

function withDependencies(name) {
  const { dependencies = {} } = readManifest(join('node_modules', name))
  return [...new Set([name, ...Object.keys(dependencies).flatMap(withDependencies)])]
}

function copyPackage(folder, name, filter) {
  const path = join('node_modules', name)
  if (!existsSync(join(root, path))) throw new Error(`${name} is not installed: npm ci.`)
  cpSync(join(root, path), join(folder, path), { recursive: true, filter })
}

function readManifest(path) {
  return JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , folder, arch] = process.argv
  // Container engines call it differently.
  makeProgramFolder(folder, platformHere(arch === 'amd64' ? 'x64' : arch))
}
