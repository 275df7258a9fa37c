import { commandNames, commandsElsewhere } from '../core/cli/command-names.ts'
import type { Env } from '../core/lib/variable-text.ts'
import { knownServers } from './known-servers.ts'

/** Commands of plugins that come with Linnet, on the data of a server here: these keep their short names. */
export const ofPluginsHere = ['import', 'export', 'check-audit-log', 'export-audit-log']

/** Whether words are a command for a server elsewhere, told without loading anything of a server. */
export function isForElsewhere(words: readonly string[], env: Env): boolean {
  const name = words[0] === 'help' ? words[1] : words[0]
  if (name === undefined || name.startsWith('-')) return false
  if (isAlwaysElsewhere(name)) return true
  const isOfServerHere = [...commandNames, ...ofPluginsHere].some(it => it === name)
  return !isOfServerHere && knownServers(env).hasAny()
}

/** Whether a word cannot be a command of a plugin here. */
export function isAlwaysElsewhere(name: string): boolean {
  return Object.hasOwn(commandsElsewhere, name) || name === 'complete'
}
