import type { Log } from '../plugin.ts'
import type { Recorder } from './recorder.ts'

/** How long a reader waits for the newest visits, in milliseconds. */
const maxWaitMs = 1_500

/**
 * Bring the numbers up to date, unless that takes long or fails: then what is there is shown, a little
 * older, because a disk in trouble must not take the numbers away.
 */
export async function settleSoon(recorder: Pick<Recorder, 'settle'>, log: Log): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>(resolve => {
    timer = setTimeout(resolve, maxWaitMs)
  })
  const settled = recorder.settle().catch(error => {
    log.warn('Numbers are shown without the newest visits', { error })
  })
  await Promise.race([settled, late])
  clearTimeout(timer)
}
