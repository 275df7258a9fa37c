import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isFrom } from '../../kernel/contain/culprit.ts'
import { caught } from '../../lib/caught.ts'
import { readEnvironment } from '../find-instance.ts'
import type { Setting } from '../setting.ts'
import { pluginsFolder } from './with-outside.ts'

/** Prints uncaught errors of imported plugins, in promises or timers, but does not let the command fail. */
export function survivePlugins(setting: Setting): void {
  const programFolder = dirname(fileURLToPath(setting.programUrl))
  const survive = (error: unknown) => {
    const isOfPlugin = isFrom(error, pluginsFolder(readEnvironment(setting)))
    if (!isOfPlugin && isFrom(error, programFolder)) throw error
    process.stderr.write(`A plugin failed outside its hooks: ${caught(error).message}\n`)
  }
  process.on('uncaughtException', survive)
  process.on('unhandledRejection', survive)
}
