import { setMaxListeners } from 'node:events'

/**
 * A signal that aborts after some time, or with any of the others. It leaves nothing behind on signals
 * that live as long as the process, as `AbortSignal.any` would.
 */
export function startDeadline(
  timeoutMs: number,
  others: readonly AbortSignal[],
): { readonly signal: AbortSignal; clear(): void } {
  const controller = new AbortController()
  // Many may wait for the same stop, and that is no leak.
  setMaxListeners(0, controller.signal, ...others)
  const stop = () => controller.abort(new Error('it was stopped'))
  const late = () => controller.abort(new Error(`nothing within ${timeoutMs} ms`))
  const timer = setTimeout(late, timeoutMs)
  for (const other of others) {
    if (other.aborted) stop()
    other.addEventListener('abort', stop, { once: true })
  }
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer)
      for (const other of others) other.removeEventListener('abort', stop)
    },
  }
}
