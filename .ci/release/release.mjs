import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { notesOf } from './name-version.mjs'
import { packForNpm } from './pack.mjs'

/**
 * Writes the other files of a release beside the binaries: the npm package, the list of all components
 * (CycloneDX), the notes, and the checksums of all files.
 *
 * @param {string} folder that has the binaries
 * @param {string} node the version of Node in them
 */
export function completeRelease(folder, node) {
  packForNpm(folder)
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  writeFileSync(join(folder, 'NOTES.md'), notesOf(version))
  writeFileSync(join(folder, 'linnet.cdx.json'), `${JSON.stringify(listParts(node), null, 2)}\n`)
  const sums = readdirSync(folder)
    .filter(name => name !== 'SHA256SUMS')
    .sort()
    .map(name => `${sha256(join(folder, name))}  ${name}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
}

/**
 * npm lists everything that is installed here; what only builds or tests the program is left out, and Node, which is
 * in the binaries, is added.
 */
export function listParts(node) {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application']
  const bom = JSON.parse(
    execFileSync('npm', [...args, '--package-lock-only'], { encoding: 'utf8', maxBuffer: 2 ** 26 }),
  )
  const parts = new Set([...installedParts(), ...bundledParts()])
  const components = bom.components.filter(({ purl }) => parts.has(nameOf(purl)))
  const refs = new Set([bom.metadata.component, ...components].map(it => it['bom-ref']))
  const dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(it => refs.has(it)) }))
  // npm names it after the folder that it is in.
  const component = { ...bom.metadata.component, name: 'linnet' }
  const metadata = { ...bom.metadata, component }
  return { ...bom, metadata, components: [...components, nodePart(node)], dependencies }
}

/** As vulnerabilities of Node are listed. */
function nodePart(version) {
  return {
    type: 'platform',
    'bom-ref': `node@${version}`,
    name: 'node',
    version,
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    purl: `pkg:generic/node@${version}`,
  }
}

/** `pkg:npm/%40scope/name@1.0.0` as `@scope/name@1.0.0`. */
function nameOf(purl) {
  return decodeURIComponent(purl.replace(/^pkg:npm\//, '').replace(/\?.*$/, ''))
}

function installedParts() {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`)
}

/** The packages that the builds recorded. */
function bundledParts() {
  return ['dist', 'dist/dashboard'].flatMap(folder => {
    const notices = readFileSync(join(folder, 'THIRD-PARTY-NOTICES.md'), 'utf8')
    return [...notices.matchAll(/^## (\S+) (\S+)$/gm)].map(
      ([, name, version]) => `${name}@${version}`,
    )
  })
}

function sha256(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
