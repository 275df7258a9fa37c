import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { forPeople } from '../../core/http/server/log.ts'
import { within } from '../../core/lib/async/within.ts'
import { parseJson } from '../../core/lib/text/json.ts'

const logLineSchema = z.object({ time: z.string(), level: z.string(), message: z.string() })
const readySchema = z.object({
  message: z.string().startsWith('Linnet is ready'),
  // Plugins write such lines too, with their feature.
  feature: z.undefined().optional(),
  url: z.string(),
  port: z.number(),
})

/** How long the server may take to stop or to hear of a change, in milliseconds. Short: its data is worthless. */
const answerMs = 3_000

/**
 * A server in a process of its own, which ends with this one. It applies changes while it runs. If it has ended or does
 * not respond, it is started again at the same address.
 */
export function createOwnServer(programUrl: URL, firstEnv: NodeJS.ProcessEnv) {
  let env = firstEnv
  let child: ChildProcess | undefined
  let turn = Promise.resolve()

  function start(): void {
    const args = ['--enable-source-maps', fileURLToPath(programUrl), 'serve']
    child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
    child.on('exit', tellOfEnd)
    // Sending fails only if the server has ended, which `tellOfEnd` reports.
    child.on('error', () => undefined)
    child.send('follow')
    if (!child.stdout) return
    createInterface(child.stdout).on('line', line => {
      // Output of a plugin itself is not a line of the log.
      const json = parseJson(line)
      tell(line, json)
      const { data: ready } = readySchema.safeParse(json)
      if (ready) env = { ...env, LINNET_BASE_URL: ready.url, LINNET_PORT: `${ready.port}` }
    })
  }

  async function end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (child?.exitCode !== null || child.signalCode !== null) return
    const ended = once(child.off('exit', tellOfEnd), 'exit')
    child.kill(signal)
    const lastResort = setTimeout(() => child?.kill('SIGKILL'), answerMs)
    await ended
    clearTimeout(lastResort)
  }

  /** Tells the server to look for changes. Resolves to whether it has heard. */
  async function hasHeard(): Promise<boolean> {
    if (!child?.connected) return false
    const heard = once(child, 'message')
    child.send('look')
    return (await within(answerMs, heard, undefined)) !== undefined
  }

  async function take(): Promise<void> {
    if (await hasHeard()) return
    await end('SIGKILL')
    start()
  }

  return {
    start,
    take: () => {
      turn = turn.then(take)
      return turn
    },
    stop: () => turn.then(() => end()),
  }
}

function tell(line: string, json: unknown): void {
  const isLog = logLineSchema.safeParse(json).success
  const out = isLog && process.stdout.isTTY ? forPeople(process.stdout) : process.stdout
  out.write(`${line}\n`)
}

function tellOfEnd(code: number | null, signal: NodeJS.Signals | null): void {
  process.stderr.write(
    `The server ended with ${code ?? signal}. It starts again when you change the plugin.\n`,
  )
}
