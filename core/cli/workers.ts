import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Log } from '../plugin.ts'
import type { Setting } from './setting.ts'
import { UserError } from './user-error.ts'

/** How long nobody starts a worker again that ended, in milliseconds: twice as long each time, if it did not last. */
const wait = { firstMs: 500, mostMs: 30_000, lastedMs: 60_000 }

/** What a worker tells who started it. */
const isReady = 'ready'

/**
 * Run servers, each in a process of its own, until `stopped`, and start those again that end. The first one is alone
 * until it is ready: what is done once, such as migrations, is done then. A worker ends with this process, too.
 * Throws a sentence if the first one does not get ready, or if one did not stop in order.
 */
export async function runWorkers(
  { programUrl, env }: Pick<Setting, 'programUrl' | 'env'>,
  { count, stopped, log }: { count: number; stopped: Promise<NodeJS.Signals>; log: Log },
): Promise<void> {
  const running = new Map<number, ChildProcess>()
  let startsAgain = false

  function start(number: number, waitMs = wait.firstMs): ChildProcess {
    const program = [...process.execArgv, fileURLToPath(programUrl)]
    const worker = spawn(process.execPath, [...program, 'serve', '--worker', `${number}`], {
      env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const startedAt = performance.now()
    running.set(number, worker)
    // What cannot be sent is to one that has ended, which is told of then.
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
    // One that was still starting has nothing to finish.
    return code === 0 || signal === 'SIGTERM'
      ? []
      : [`Worker ${number} ended with ${signal ?? code}.`]
  })
  const failed = (await Promise.all(exits)).flat()
  if (failed.length > 0) throw new UserError(failed.join(' '))
  log.info('Stopped')
}

/** Tell who started this worker that it answers; stop where they have ended meanwhile. */
export function tellReady(): void {
  if (process.connected) process.send?.(isReady)
  else process.kill(process.pid, 'SIGTERM')
}
