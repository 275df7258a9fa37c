import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../e2e/program.ts'

/** The path of the library on Debian and Ubuntu, by architecture. */
const library = ['x86_64', 'aarch64']
  .map(machine => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find(existsSync)

/** Why the clock cannot be moved on this machine; undefined if it can. */
export const noClock = library ? undefined : 'libfaketime is not installed (apt install faketime)'

/** The clock of one server, which tests can set while it runs. Timers use another clock, which does not jump. */
export interface MovedClock {
  readonly env: Readonly<Record<string, string>>
  /** Sets it to a moment, from which it goes on. The server notices within a second. */
  set(moment: Date): void
}

export function movedClock(start: Date): MovedClock {
  const file = join(temporaryFolder(), 'offset')
  const set = (moment: Date) => {
    const seconds = Math.round((moment.getTime() - Date.now()) / 1_000)
    writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}\n`)
  }
  set(start)
  return {
    set,
    env: {
      LD_PRELOAD: library ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
  }
}
