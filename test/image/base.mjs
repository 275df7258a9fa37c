import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { run } from './engine.mjs'

/**
 * Have the image that the Dockerfile builds on: as it is published, or, where no registry of images can be reached,
 * made of what Debian and npm have: the same system, the same Node, npm and the user `node`.
 *
 * @param {string} tag as `24.21.0-bookworm-slim`
 */
export function ensureBase(tag) {
  const name = `docker.io/library/node:${tag}`
  if (spawnSync('podman', ['image', 'exists', name]).status === 0) return
  if (spawnSync('podman', ['pull', '--quiet', name], { timeout: 120_000 }).status === 0) return
  console.log(`${name} cannot be fetched: it is made by debootstrap, of Node from npm.`)
  const [, version, release] = /^([\d.]+)-(\w+)-slim$/.exec(tag) ?? []
  const folder = mkdtempSync(join(tmpdir(), 'linnet-base-'))
  try {
    const system = join(folder, 'system')
    run('debootstrap', ['--variant=minbase', '--include=ca-certificates', release, system])
    addNode(system, version)
    run('chroot', [system, 'useradd', '--uid=1000', '--user-group', '--create-home', 'node'])
    const archive = join(folder, 'system.tar')
    run('tar', ['-C', system, '-cf', archive, '.'])
    const path = 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
    run('podman', ['import', '--change', path, archive, name])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Puts Node and npm where the published image has them. */
function addNode(system, version) {
  const folder = join(dirname(system), 'node')
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{}')
  const node = `node-linux-${process.arch}`
  const quietly = ['--ignore-scripts', '--silent', '--no-audit', '--no-fund']
  execFileSync('npm', ['install', ...quietly, `${node}@${version}`, 'npm@11'], { cwd: folder })
  const local = join(system, 'usr/local')
  cpSync(join(folder, 'node_modules', node, 'bin/node'), join(local, 'bin/node'))
  const npm = 'lib/node_modules/npm'
  cpSync(join(folder, 'node_modules/npm'), join(local, npm), { recursive: true })
  symlinkSync(`../${npm}/bin/npm-cli.js`, join(local, 'bin/npm'))
  symlinkSync(`../${npm}/bin/npx-cli.js`, join(local, 'bin/npx'))
}
