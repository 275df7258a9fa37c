import { notifications } from '@mantine/notifications'
import { PasskeyFailed } from '../../api/client/passkeys.ts'
import { isAborted, Problem } from '../../api/client/problem.ts'
import { texts } from '../../texts.ts'

const closeButtonProps = { 'aria-label': texts.common.close }

/** Report that something is done. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'teal', closeButtonProps })
}

/** Report an error. */
export function notifyProblem(error: unknown): void {
  notifyFailed(messageOf(error))
}

/** Report a failure. The notification stays until it is closed. */
export function notifyFailed(message: string): void {
  notifications.show({
    title: texts.errors.heading,
    message,
    color: 'red',
    autoClose: false,
    closeButtonProps,
  })
}

/**
 * The text of an error for people: a problem's own sentence; for a bug of ours, no internals; nothing for a request that
 * they cancelled.
 */
export function messageOf(error: unknown): string {
  if (isAborted(error)) return ''
  if (error instanceof PasskeyFailed) return error.message
  if (!(error instanceof Problem)) return texts.errors.unexpected
  const { message, code, status, requestId } = error
  // Its sentence is about an idempotency key, which people know nothing about.
  if (code === 'request_in_progress') return texts.errors.inProgress
  return status >= 500 && requestId ? `${message} ${texts.errors.reference(requestId)}` : message
}
