import type { Log } from '../../plugin.ts'

/** Numbers that are behind, and how they get up to date. */
interface Behind {
  settle(): Promise<void>
}

/**
 * Bring the numbers up to date, unless that takes long or fails: then what is there is shown, a little
 * older, because a disk in trouble must not take the numbers away. A reader waits `maxWaitMs` milliseconds.
 */
export async function settleSoon(
  numbers: readonly Behind[],
  log: Log,
  maxWaitMs = 1_500,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>(resolve => {
    timer = setTimeout(resolve, maxWaitMs)
  })
  const settled = Promise.all(numbers.map(it => it.settle())).catch(error => {
    log.warn('The numbers shown are not up to date', { error })
  })
  await Promise.race([settled, late])
  clearTimeout(timer)
}
