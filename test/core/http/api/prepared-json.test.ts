import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

const module = new URL('../../../../core/http/api/prepared-json.ts', import.meta.url).href

/** How many MiB a process takes at most beyond what it has, while it compresses half a megabyte: proc(5) has the peak. */
function mostMebibytes(compress: string): number {
  const program = `
    import { readFileSync, writeFileSync } from 'node:fs'
    import { brotliCompressSync, constants } from 'node:zlib'
    import { prepareJson } from '${module}'
    const schemas = Array.from({ length: 10_000 }, (_, at) => ({ at, name: 'schema-' + at * at, type: 'object' }))
    const document = { schemas }
    const text = JSON.stringify(document)
    const most = () => Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1])
    writeFileSync('/proc/self/clear_refs', '5')
    const before = most()
    ${compress}
    console.log((most() - before) / 1024)`
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', program]))
}

const onLinux = process.platform === 'linux' ? it : it.skip

onLinux(
  'a large document is compressed in little memory, for anybody may be the first to ask for it',
  () => {
    expect(mostMebibytes('await prepareJson(document)')).toBeLessThan(12)
    // Control: with a high quality it takes more.
    const params = '{ [constants.BROTLI_PARAM_QUALITY]: 9 }'
    expect(mostMebibytes(`brotliCompressSync(text, { params: ${params} })`)).toBeGreaterThan(18)
  },
)
