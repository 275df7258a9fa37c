import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { inject } from 'postject'
import { makeProgramFolder } from './program-folder.mjs'

/** A file beside the program, because the main script of a binary cannot import, but this one can. */
const runner = `const { pathToFileURL } = require('node:url')
module.exports = script => import(pathToFileURL(script).href)
`

/**
 * The name that Node looks for in its own binary:
 * https://nodejs.org/docs/latest-v24.x/api/single-executable-applications.html
 */
const blobName = 'NODE_SEA_BLOB'
const blobOptions = {
  sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2',
  machoSegmentName: 'NODE_SEA',
}

/**
 * Makes one file that contains Node and the program.
 *
 * @param {string} output where it is put
 * @param {{ platform: string, builder: string, node: string }} from for which platform, as `linux-arm64`; a Node that runs
 *   here; and the same version of Node for the platform
 */
export async function makeBinary(output, { platform, builder, node }) {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-binary-'))
  try {
    const program = join(folder, 'program')
    makeProgramFolder(program, platform)
    writeFileSync(join(program, 'run.cjs'), runner)
    copyFileSync(join(dirname(node), '../LICENSE'), join(program, 'NODE-LICENSE'))
    const files = readdirSync(program, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => relative(program, join(entry.parentPath, entry.name)))
      .sort()
    writeFileSync(join(folder, 'files.json'), JSON.stringify(describe(program, files)))
    const config = {
      main: resolve(import.meta.dirname, 'binary-main.cjs'),
      output: join(folder, 'blob'),
      disableExperimentalSEAWarning: true,
      assets: {
        'files.json': join(folder, 'files.json'),
        ...Object.fromEntries(files.map(file => [file, join(program, file)])),
      },
    }
    writeFileSync(join(folder, 'sea.json'), JSON.stringify(config))
    execFileSync(builder, ['--experimental-sea-config', join(folder, 'sea.json')])
    copyFileSync(node, output)
    await inject(output, blobName, readFileSync(config.output), blobOptions)
    chmodSync(output, 0o755)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A name for exactly these files, the length of each, and which of them are machine code. */
function describe(program, files) {
  const hash = createHash('sha256')
  const sizes = {}
  for (const file of files) {
    const content = readFileSync(join(program, file))
    sizes[file] = content.length
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  const addon = files.find(file => file.endsWith('.node'))
  return { version: hash.digest('hex').slice(0, 32), addon, sizes }
}
