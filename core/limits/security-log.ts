import type { Log } from '../plugin.ts'
import type { Throttle } from './throttle.ts'

/** What an operator, or a program such as fail2ban, may want to act on. */
const messages = {
  wrong_guess: 'A wrong guess',
  too_many_guesses: 'Too many wrong guesses',
  refused_token: 'An API token was refused',
  refused_call: 'A call was refused to somebody who may not make it',
} as const

/** Logs what a client did. No detail may be text that the client sent. */
export type LogEvent = (
  event: keyof typeof messages,
  details: {
    /** The key of the client, where it is known. */
    readonly client: string | undefined
    /** What was guessed at: the kind of secret, and which one of that kind. */
    readonly secret?: string
    readonly of?: string | undefined
    /** The scope that a refused call needs. */
    readonly needed?: string
  },
) => Promise<void>

/** Lines per minute: events that go on and on must not fill a disk. */
const maxLines = 600
const maxLinesOfClient = 30

/**
 * Logs each event as a warning, up to a number of lines per minute; the next line then says how many were left
 * out. Clients are logged only if `showsClients`; otherwise the log contains no addresses.
 */
export function createSecurityLog({
  log,
  throttle,
  showsClients,
}: {
  readonly log: Log
  readonly throttle: Throttle
  readonly showsClients: boolean
}): LogEvent {
  let leftOut = 0
  return async (event, { client, secret, of, needed }) => {
    // The total is checked first, so that a client that keeps changing its address takes up no memory.
    const isLogged =
      (await throttle.peek('log', maxLines, 60)).allowed &&
      (await throttle(`log ${client ?? of}`, maxLinesOfClient, 60)).allowed &&
      (await throttle('log', maxLines, 60)).allowed
    if (!isLogged) {
      leftOut += 1
      return
    }
    // Filters for fail2ban rely on this order.
    log.warn(messages[event], {
      event,
      ...(showsClients && client !== undefined && { client }),
      ...(secret !== undefined && { secret }),
      ...(of !== undefined && { of }),
      ...(needed !== undefined && { needed }),
      ...(leftOut > 0 && { leftOut }),
    })
    leftOut = 0
  }
}
