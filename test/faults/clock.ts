import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../e2e/program.ts'

/** Where Debian and Ubuntu put it, by the kind of machine. */
const library = ['x86_64', 'aarch64']
  .map(machine => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find(existsSync)

/** Why no clock can be moved here; undefined where it can. */
export const noClock = library ? undefined : 'libfaketime is not installed (apt install faketime)'

/** The clock of one server, which can be set while it runs; timers go by another, that does not jump. */
export interface MovedClock {
  readonly env: Readonly<Record<string, string>>
  /** Set it to a moment, from which it goes on; read again once a second. */
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
