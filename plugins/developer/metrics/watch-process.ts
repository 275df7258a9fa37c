import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Measurements of the process, in seconds and bytes. */
export interface ProcessMeasures {
  readonly startedAt: number
  readonly cpuSeconds: number
  readonly memoryBytes: number
  readonly heapBytes: number
  /** How late timers were since the last reading, by quantile. */
  readonly delays: readonly (readonly [share: number, seconds: number])[]
}

const shares = [0.5, 0.9, 0.99, 1]

/** How often to measure the delay, in milliseconds, with a timer that costs microseconds. */
const resolution = 20

/** Measures the delay of the event loop: how long a redirect waits before Linnet's code begins. */
export function watchProcess() {
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()
  return {
    stop: () => void delay.disable(),
    read(): ProcessMeasures {
      const delays = shares.map(share => [share, secondsAt(share)] as const)
      delay.reset()
      const { user, system } = process.cpuUsage()
      const { rss, heapUsed } = process.memoryUsage()
      return {
        startedAt: Date.now() / 1_000 - process.uptime(),
        cpuSeconds: (user + system) / 1e6,
        memoryBytes: rss,
        heapBytes: heapUsed,
        delays,
      }
    },
  }

  /** Node measures from timer to timer, in nanoseconds, so the interval between timers is subtracted. */
  function secondsAt(share: number): number {
    return Math.max(delay.percentile(share * 100) / 1e9 - resolution / 1e3, 0)
  }
}
