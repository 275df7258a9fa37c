import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './program.ts'

/** A registry on this machine; it ends with the test. */
export interface Registry {
  readonly url: string
  /** Publishes a folder as a package or as another version of it, with these changes in its `package.json`. */
  publish(folder: string, more?: Published): void
}

interface Published {
  readonly version: string
  readonly linnet?: object
  readonly peerDependencies?: object
  readonly deprecated?: string
}

interface Manifest {
  readonly name: string
  readonly version: string
}

/** Packs a folder as `npm pack` does, without running its scripts; returns the file's path. */
export function pack(folder: string): string {
  const to = temporaryFolder()
  const quietly = ['--silent', '--ignore-scripts', '--cache', join(to, 'cache')]
  const args = ['pack', folder, '--pack-destination', to, ...quietly]
  return join(to, execFileSync('npm', args, { encoding: 'utf8' }).trim())
}

export async function startRegistry(): Promise<Registry> {
  const archives = new Map<string, Buffer>()
  const packages = new Map<string, Record<string, Manifest>>()
  const server = createServer((req, res) => {
    const path = decodeURIComponent(req.url ?? '').slice(1)
    const archive = archives.get(path)
    const versions = packages.get(path)
    if (archive) res.end(archive)
    else if (versions) {
      const latest = Object.keys(versions).at(-1)
      res.setHeader('Content-Type', 'application/json')
      res.end(JSON.stringify({ name: path, versions, 'dist-tags': { latest } }))
    } else res.writeHead(404).end('{}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url,
    publish(folder, more) {
      const manifest: Manifest = {
        ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
        ...more,
      }
      const { name, version } = manifest
      const content = archive(folder, manifest)
      const path = `${name}/-/${version}.tgz`
      const digest = createHash('sha512').update(content).digest('base64')
      archives.set(path, content)
      const dist = { tarball: `${url}/${path}`, integrity: `sha512-${digest}` }
      packages.set(name, { ...packages.get(name), [version]: { ...manifest, dist } as Manifest })
    },
  }
}

/** The archive that `pack` needs, in a tenth of npm's time: npm takes most of a second to start. */
function archive(folder: string, manifest: Manifest): Buffer {
  const parent = temporaryFolder()
  const copy = join(parent, 'package')
  cpSync(folder, copy, { recursive: true })
  writeFileSync(join(copy, 'package.json'), JSON.stringify(manifest))
  const maxBuffer = 256 * 1_024 * 1_024
  return gzipSync(execFileSync('tar', ['-cf', '-', '-C', parent, 'package'], { maxBuffer }), {
    level: 1,
  })
}
