import { notifications } from '@mantine/notifications'
import { Problem } from '../../api/client/problem.ts'
import { texts } from '../../texts.ts'

const closeButtonProps = { 'aria-label': texts.common.close }

/** Say that something is done. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'teal', closeButtonProps })
}

/** Say what an error says. */
export function notifyProblem(error: unknown): void {
  notifyFailed(messageOf(error))
}

/** Say what went wrong; it stays until it is closed. */
export function notifyFailed(message: string): void {
  notifications.show({
    title: texts.errors.heading,
    message,
    color: 'red',
    autoClose: false,
    closeButtonProps,
  })
}

/** What an error says to people: a problem its sentence, a bug of ours nothing of its inside. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Problem)) return texts.errors.unexpected
  const { message, code, status, requestId } = error
  // It speaks of a key, of which people know nothing.
  if (code === 'request_in_progress') return texts.errors.inProgress
  return status >= 500 && requestId ? `${message} ${texts.errors.reference(requestId)}` : message
}
