import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { boundLog } from '../../kernel/contain/bound-log.ts'
import { createCulpritFinder, isFrom } from '../../kernel/contain/culprit.ts'
import type { Log } from '../../plugin.ts'
import type { offerOf } from '../plugins/with-outside.ts'
import type { Setting } from '../setting.ts'

/** An uncaught error or a `process.exit` of a plugin must not end the process; an uncaught error of our own must. */
export function surviveStrayFailures(
  { recorderUrl }: Setting,
  offer: () => ReturnType<typeof offerOf>,
  log: Log,
): void {
  const programFolder = dirname(fileURLToPath(recorderUrl))
  const logs = new Map<string, Log>()
  const findCulprit = (error: unknown) => {
    const { registry, outside } = offer()
    return createCulpritFinder(registry, outside.plugins)(error)
  }
  const survive = (error: unknown) => {
    const feature = findCulprit(error)
    if (feature === undefined && isFrom(error, programFolder)) {
      log.error('A bug ends the process', { error })
      process.exit(70)
    }
    const who = feature ?? 'Some plugin'
    const bounded = logs.get(who) ?? boundLog(log, who)
    logs.set(who, bounded)
    bounded.error(`${who} failed outside of its hooks`, { feature, error })
  }
  process.on('uncaughtException', survive)
  process.on('unhandledRejection', survive)
  const exit = process.exit.bind(process)
  process.exit = code => {
    const feature = findCulprit(new Error('exit'))
    if (feature !== undefined) throw new Error(`${feature} tried to end the process`)
    return exit(code)
  }
}
