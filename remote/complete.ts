import { commandNames, commandsElsewhere } from '../core/cli/command-names.ts'
import { UserError } from '../core/lib/user-error.ts'
import type { Operation } from './description.ts'
import { findCommand, shortNames } from './find-command.ts'
import { type Io, print } from './io.ts'
import { knownServers, originOf } from './known-servers.ts'
import { keptDescription } from './read-description.ts'
import { commandOf } from './typed-command.ts'

/** A word that may come next, and what it means. */
type Candidate = readonly [word: string, about: string]

/** Prints what may come next, for a shell. Nobody is asked: the description of the server is the one that is kept here. */
export async function complete(words: readonly string[], io: Io): Promise<number | undefined> {
  const before = words.slice(0, -1)
  const begun = words.at(-1) ?? ''
  if (commandNames.some(it => it === before[0])) return undefined
  const fitting = candidatesAfter(before, io).filter(([word]) => word.startsWith(begun))
  const isOption = begun.startsWith('-')
  const shown = fitting.filter(([word]) => word.startsWith('-') === isOption)
  await print(io, ...shown.map(([word, about]) => `${word}\t${about}`))
  return 0
}

function candidatesAfter(before: readonly string[], io: Io): readonly Candidate[] {
  const servers = knownServers(io.env).list()
  const [first] = before
  if (before.at(-1) === '--server' || (first === 'logout' && before.length === 1)) {
    return servers.map(({ name, url }) => [name, url])
  }
  if (first === 'completion') return shells.map(it => [it, ''])
  if (first === 'servers')
    return before[1] === 'use' ? servers.map(({ name, url }) => [name, url]) : [['use', '']]
  const url = io.env.LINNET_URL
    ? originOf(io.env.LINNET_URL)
    : servers.find(({ current }) => current)?.url
  const operations = url === undefined ? [] : keptDescription(url, io.env)
  if (first === undefined) return [...namesHere(), ...groupsOf(operations)]
  return ofServer(first === 'remote' ? before.slice(1) : before, operations)
}

function namesHere(): readonly Candidate[] {
  return [
    ...commandNames.map(it => [it, 'of the server here'] as const),
    ...Object.entries(commandsElsewhere),
  ]
}

function groupsOf(operations: readonly Operation[]): readonly Candidate[] {
  const groups = new Map([
    ...shortNames(operations),
    ...operations.map(({ words, group }) => [words[0] ?? '', group] as const),
  ])
  const here = new Set(namesHere().map(([name]) => name))
  return [...groups].filter(([name]) => !here.has(name))
}

function ofServer(
  before: readonly string[],
  operations: readonly Operation[],
): readonly Candidate[] {
  if (before.length === 0) return groupsOf(operations)
  const found = findCommand(before, operations)
  const inside = operations.filter(({ words }) =>
    before.every((word, index) => words[index] === word),
  )
  const next = inside.flatMap(({ words, summary }) => {
    const word = words[before.length]
    return word === undefined ? [] : [[word, summary] as const]
  })
  if (!('operation' in found)) return next
  const command = commandOf(found.operation)
  const last = command.options.find(it => it.long === before.at(-1))
  if (last?.argChoices) return last.argChoices.map(it => [it, ''])
  const options = command.options
    .filter(it => !it.hidden)
    .map(it => [it.long ?? '', it.description] as const)
  return [...next, ...options, ['--server', 'which server to call']]
}

export const shells = ['bash', 'zsh', 'fish'] as const

/** What a shell reads to complete `linnet`. Each asks `linnet complete` with the words so far. */
const scripts: Readonly<Record<string, string>> = {
  bash: `# linnet completion bash >> ~/.bashrc
_linnet() {
  local IFS=$'\\n'
  COMPREPLY=($(linnet complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
}
complete -o default -F _linnet linnet`,
  zsh: `#compdef linnet
# linnet completion zsh > ~/.zfunc/_linnet, with fpath+=~/.zfunc before compinit
_linnet() {
  local -a found
  found=("\${(@f)$(linnet complete "\${(@)words[2,CURRENT]}" 2>/dev/null | sed -e 's/:/\\\\:/g' -e 's/\\t/:/')}")
  if [[ -n "$found" ]]; then _describe linnet found; else _files; fi
}
compdef _linnet linnet`,
  fish: `# linnet completion fish > ~/.config/fish/completions/linnet.fish
complete -c linnet -a '(linnet complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
}

export async function printScript(shell: string, io: Io): Promise<number> {
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
  if (script === undefined) throw new UserError(`Name a shell: ${shells.join(', ')}.`)
  await print(io, script)
  return 0
}
