import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const script = fileURLToPath(new URL('wrk.lua', import.meta.url))
const run = promisify(execFile)

/** Whether https://github.com/wg/wrk is installed. */
export const hasWrk = spawnSync('wrk', ['--version']).error === undefined

/**
 * Like `drive`, but with wrk, which takes half the processor time of a driver in Node: on two cores, the
 * recorder's thread gets what wrk leaves. wrk only takes whole seconds, and tells of a status only whether it is
 * above 399. Answers still under way at the end are cut off.
 */
export async function driveByWrk(url, { requests, status, seconds, connections }) {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-wrk-'))
  const file = join(folder, 'requests')
  writeFileSync(file, requests.join('\0'), 'latin1')
  try {
    const found = await runWrk(file, [
      `-c${connections}`,
      `-d${seconds}s`,
      '--timeout',
      `${patienceSeconds}s`,
      url,
    ])
    const failed = found.failed + (status < 400 ? found.refused : found.answered - found.refused)
    if (failed > 0) throw new Error(`${failed} requests to ${url} were not answered ${status}.`)
    return {
      answered: found.answered,
      cutOff: connections,
      perSecond: (found.answered * 1e6) / found.tookMicroseconds,
      p50: found.p50 / 1000,
      p99: found.p99 / 1000,
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Without it, wrk counts an answer that takes more than two seconds as a failure. */
const patienceSeconds = 30

/** The script prints its results on the last line. */
async function runWrk(requests, args) {
  const { stdout } = await run('wrk', ['-t1', '--latency', '-s', script, ...args], {
    env: { ...process.env, REQUESTS: requests },
  })
  return JSON.parse(stdout.trim().split('\n').at(-1))
}
