import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './program.ts'

/** A registry of one package, on this machine, until the test ends. */
export interface Registry {
  readonly url: string
  /** Offer another version: a folder, with this besides in its `package.json`. */
  publish(folder: string, manifest: { readonly version: string; readonly linnet?: object }): void
}

/** A folder as `npm pack` puts it into a file; gives its path. */
export function pack(folder: string): string {
  const to = temporaryFolder()
  const args = ['pack', folder, '--pack-destination', to, '--silent', '--cache', join(to, 'cache')]
  return join(to, execFileSync('npm', args, { encoding: 'utf8' }).trim())
}

export async function startRegistry(): Promise<Registry> {
  const archives = new Map<string, Buffer>()
  const versions: Record<string, { readonly name: string; readonly version: string }> = {}
  const server = createServer((req, res) => {
    const archive = archives.get(req.url ?? '')
    const newest = Object.values(versions).at(-1)
    if (archive) res.end(archive)
    else if (newest && req.url === `/${newest.name}`) {
      const { name, version } = newest
      res.setHeader('Content-Type', 'application/json')
      res.end(JSON.stringify({ name, versions, 'dist-tags': { latest: version } }))
    } else res.writeHead(404).end('{}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url,
    publish(folder, more) {
      const copy = temporaryFolder()
      cpSync(folder, copy, { recursive: true })
      const manifest = {
        ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
        ...more,
      }
      writeFileSync(join(copy, 'package.json'), JSON.stringify(manifest))
      const content = readFileSync(pack(copy))
      const path = `/${manifest.name}/-/${more.version}.tgz`
      const digest = createHash('sha512').update(content).digest('base64')
      archives.set(path, content)
      versions[more.version] = {
        ...manifest,
        dist: { tarball: url + path, integrity: `sha512-${digest}` },
      }
    },
  }
}
