import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const worthIt = /\.(js|css|html|svg|json)$/
const minBytes = 1_024

/** Writes a `.br` and a `.gz` beside each file of a build, so that the server compresses nothing. */
export function compressFiles(): Plugin {
  return {
    name: 'linnet-compress',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter(it =>
        worthIt.test(it),
      )
      await Promise.all(files.map(file => compress(join(dir, file))))
    },
  }
}

async function compress(file: string): Promise<void> {
  const content = readFileSync(file)
  if (content.length < minBytes) return
  writeFileSync(`${file}.br`, await promisify(brotliCompress)(content))
  writeFileSync(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
}
