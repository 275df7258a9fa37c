import { caught } from '../../lib/caught.ts'
import type { Log } from '../../plugin.ts'

/** The log for a plugin, whose lines name it. `heed` is called for each. */
export function logOfPlugin(log: Log, feature: string, heed: () => void): Log {
  const write =
    (level: keyof Log): Log['info'] =>
    (given, more) => {
      heed()
      const { message, details } = readArguments(given, more)
      log[level](message, { ...details, feature })
    }
  return { info: write('info'), warn: write('warn'), error: write('error') }
}

/** Authors in JavaScript pass an error in the place of the details, or of the message, as other logs want it. */
function readArguments(message: unknown, details: unknown) {
  const error = [details, message].find(it => it instanceof Error)
  return {
    message: typeof message === 'string' ? message : caught(message).message,
    details: { ...(details === error ? undefined : Object(details)), ...(error && { error }) },
  }
}
