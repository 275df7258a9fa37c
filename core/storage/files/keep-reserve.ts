import type { Log } from '../../plugin.ts'
import { reserveOf } from './reserve.ts'

/** How often to check whether a full disk has space again, in milliseconds. */
const lookMs = 2_000

/** Fill the reserve of a database now or, if the disk is full, as soon as there is space. */
export async function keepReserve(file: string, log: Log): Promise<{ stop(): void }> {
  const reserve = reserveOf(file)
  const wasSpent = reserve.isSpent()
  let isSaid = wasSpent
  if (wasSpent) log.error('The disk is full. Links keep working, but nothing is written.')
  if (await tryToFill()) return { stop: () => undefined }

  const timer = setInterval(async () => {
    if (await tryToFill()) clearInterval(timer)
  }, lookMs).unref()
  return { stop: () => clearInterval(timer) }

  async function tryToFill(): Promise<boolean> {
    try {
      const isFilled = await reserve.fill()
      if (isFilled && wasSpent) log.info('The disk has free space again: writing continues.')
      if (!isFilled && !isSaid) {
        log.warn('The disk is too full to reserve the space for a start on a full disk')
        isSaid = true
      }
      return isFilled
    } catch (error) {
      log.warn('The space reserved for a start on a full disk could not be allocated', { error })
      return false
    }
  }
}
