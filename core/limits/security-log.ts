import type { Log } from '../plugin.ts'
import type { Throttle } from './throttle.ts'

/** What an operator, or a program as fail2ban, may want to act on. */
const messages = {
  wrong_guess: 'A wrong guess',
  too_many_guesses: 'Too many wrong guesses',
  refused_token: 'An API token was refused',
} as const

/** Note what a client did. Nothing here may be what the client wrote. */
export type LogEvent = (
  event: keyof typeof messages,
  details: {
    /** Its key, where it is known. */
    readonly client: string | undefined
    /** What was guessed at: its kind, and which of that kind. */
    readonly secret?: string
    readonly of?: string | undefined
  },
) => Promise<void>

/** Lines a minute: what goes on and on must not fill a disk. */
const maxLines = 600
const maxLinesOfClient = 30

/**
 * Warns of each event, up to so many a minute; the next line then says how many were left out. Where
 * clients are is logged only if `showsClients`: else no address of anybody is in the log.
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
  return async (event, { client, secret, of }) => {
    // The lines of all are looked at first: who comes from ever new addresses takes no memory then.
    const isLogged =
      (await throttle.peek('log', maxLines, 60)).allowed &&
      (await throttle(`log ${client ?? of}`, maxLinesOfClient, 60)).allowed &&
      (await throttle('log', maxLines, 60)).allowed
    if (!isLogged) {
      leftOut += 1
      return
    }
    // Filters for fail2ban count on this order.
    log.warn(messages[event], {
      event,
      ...(showsClients && client !== undefined && { client }),
      ...(secret !== undefined && { secret }),
      ...(of !== undefined && { of }),
      ...(leftOut > 0 && { leftOut }),
    })
    leftOut = 0
  }
}
