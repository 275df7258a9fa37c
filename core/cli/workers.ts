import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { UserError } from '../lib/user-error.ts'
import type { Log } from '../plugin.ts'
import type { Setting } from './setting.ts'

/** How long to wait before restarting a worker, in milliseconds. Doubles each time, until a worker has lasted. */
const wait = { firstMs: 500, mostMs: 30_000, lastedMs: 60_000 }

/** The message with which a worker says that it is ready. */
const isReady = 'ready'

/**
 * Runs servers, each in a process of its own, until `stopped`, and restarts those that end. The first one runs alone
 * until it is ready, to do what must be done only once, such as migrations. Workers also end if this process does.
 * Throws a `UserError` if the first one does not become ready, or if one did not stop properly.
 */
export async function runWorkers(
  { programUrl, env }: Pick<Setting, 'programUrl' | 'env'>,
  { count, stopped, log }: { count: number; stopped: Promise<NodeJS.Signals>; log: Log },
): Promise<void> {
  const running = new Map<number, ChildProcess>()
  // Each takes its part of the memory.
  const { LINNET_WORKERS_FILE: _, ...others } = env
  const workersEnv = { ...others, LINNET_WORKERS: `${count}` }
  let startsAgain = false

  function start(number: number, waitMs = wait.firstMs): ChildProcess {
    const program = [...process.execArgv, fileURLToPath(programUrl)]
    const worker = spawn(process.execPath, [...program, 'serve', '--worker', `${number}`], {
      env: workersEnv,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const startedAt = performance.now()
    running.set(number, worker)
    // Sending fails only if the worker has ended, which the listener for `exit` handles.
    worker.on('error', () => undefined)
    worker.send('follow')
    worker.on('exit', (code, signal) => {
      running.delete(number)
      if (!startsAgain) return
      const soonMs = performance.now() - startedAt > wait.lastedMs ? wait.firstMs : waitMs
      log.error(`Worker ${number} ended with ${signal ?? code} and is started again`, { soonMs })
      setTimeout(() => {
        if (startsAgain) start(number, Math.min(2 * soonMs, wait.mostMs))
      }, soonMs)
    })
    return worker
  }

  const first = start(1)
  const ready = new Promise<true>(resolve =>
    first.on('message', message => message === isReady && resolve(true)),
  )
  const ended = once(first, 'exit').then(([code, signal]) => {
    throw new UserError(`The first worker ended with ${signal ?? code}.`)
  })
  startsAgain = (await Promise.race([ready, stopped, ended])) === true
  if (startsAgain) for (let number = 2; number <= count; number += 1) start(number)

  const signal = await stopped
  log.info(`${signal}: stopping`)
  startsAgain = false
  const exits = [...running].map(async ([number, worker]) => {
    const exit = once(worker, 'exit')
    worker.kill('SIGTERM')
    const [code, signal] = await exit
    // A worker that was still starting, and so ended by the signal itself, had nothing to finish.
    return code === 0 || signal === 'SIGTERM'
      ? []
      : [`Worker ${number} ended with ${signal ?? code}.`]
  })
  const failed = (await Promise.all(exits)).flat()
  if (failed.length > 0) throw new UserError(failed.join(' '))
  log.info('Stopped')
}

/** Tells the parent process that this worker is ready. Stops this worker if the parent has ended meanwhile. */
export function tellReady(): void {
  if (process.connected) process.send?.(isReady)
  else process.kill(process.pid, 'SIGTERM')
}
