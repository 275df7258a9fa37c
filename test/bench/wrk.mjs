import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { processorMs } from './measure.mjs'
import { requestsTo } from './requests.mjs'

const script = fileURLToPath(new URL('wrk.lua', import.meta.url))
const run = promisify(execFile)

/** Whether https://github.com/wg/wrk is installed. */
export const hasWrk = spawnSync('wrk', ['--version']).error === undefined

/**
 * As `drive`, by wrk, which takes half the processor time of a driver in Node: where there are two cores,
 * the recorder's thread has what it leaves. Answers that were under way when the time was up are cut off.
 */
export async function driveByWrk(server, { seconds, connections }) {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-wrk-'))
  const requests = join(folder, 'requests')
  writeFileSync(requests, Buffer.concat(requestsTo(server)))
  try {
    const usedBefore = processorMs(server.child.pid)
    const found = await runWrk(requests, [`-c${connections}`, `-d${seconds}s`, server.url])
    const usedMs = processorMs(server.child.pid) - usedBefore
    if (found.failed > 0) throw new Error(`${found.failed} requests to ${server.url} failed.`)
    return {
      answered: found.answered,
      cutOff: connections,
      perSecond: (found.answered * 1e6) / found.tookMicroseconds,
      processorMicroseconds: (usedMs * 1000) / found.answered,
      p50: found.p50 / 1000,
      p99: found.p99 / 1000,
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The last line is what the script prints. */
async function runWrk(requests, args) {
  const { stdout } = await run('wrk', ['-t1', '--latency', '-s', script, ...args], {
    env: { ...process.env, REQUESTS: requests },
  })
  return JSON.parse(stdout.trim().split('\n').at(-1))
}
