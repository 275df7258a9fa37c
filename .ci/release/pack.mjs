import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Packs what was built for npm, without what only a clone can do: the scripts, of which one refuses a plain `npm pack`,
 * since that may have no types, or be old. Returns the path of the file.
 *
 * @param {string} to the folder of the file
 * @param {readonly string[]} [options] for npm
 */
export function packForNpm(to, options = []) {
  const quietly = ['--ignore-scripts', ...options]
  const listed = execFileSync('npm', ['pack', '--dry-run', '--json', ...quietly], large)
  const folder = mkdtempSync(join(tmpdir(), 'linnet-package-'))
  try {
    for (const { path } of JSON.parse(listed)[0].files) cpSync(path, join(folder, path))
    const { private: _, scripts: __, devDependencies: ___, ...manifest } = readManifest()
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
    const args = ['pack', folder, '--silent', '--pack-destination', to, ...quietly]
    return join(to, execFileSync('npm', args, large).trim())
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const large = { encoding: 'utf8', maxBuffer: 2 ** 26, stdio: ['ignore', 'pipe', 'ignore'] }

function readManifest() {
  return JSON.parse(readFileSync('package.json', 'utf8'))
}
