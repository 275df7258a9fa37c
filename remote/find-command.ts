import type { Operation } from './description.ts'
import { usageOf } from './typed-command.ts'

export type Found =
  | { readonly operation: Operation; readonly rest: readonly string[] }
  /** A group of commands, with what follows that is none of them; empty if there is no such group. */
  | { readonly group: readonly string[]; readonly rest: readonly string[] }

/** What people may type besides the commands of the API: short names, and what can be done with a link. */
export function shortNames(
  operations: readonly Operation[],
): readonly (readonly [string, string])[] {
  const ofLinks = operations.filter(({ words }) => words[0] === 'links' && words.length > 1)
  const hasTokens = operations.some(({ words }) => words[0] === 'api-tokens')
  return [
    ...ofLinks.map(({ words, summary }) => [words[1] ?? '', summary] as const),
    ...(hasTokens ? ([['tokens', 'API tokens']] as const) : []),
  ]
}

/** Words that people type for those of the API. */
const otherWords: Readonly<Record<string, string>> = {
  tokens: 'api-tokens',
  revoke: 'delete',
  destroy: 'delete',
  update: 'edit',
}

/**
 * The command that words begin with. A group alone lists or shows what it is about, and what can be done with a link needs
 * no `links` before it.
 */
export function findCommand(typed: readonly string[], operations: readonly Operation[]): Found {
  const end = typed.findIndex(word => word.startsWith('-'))
  const words = end === -1 ? typed : typed.slice(0, end)
  const named = asNamed(words)
  const isOfLinks = operations.some(it => it.words[0] === 'links' && it.words[1] === named[0])
  const found =
    startOf(named, operations) ?? (isOfLinks ? startOf(['links', ...named], operations) : undefined)
  if (found === undefined) return { group: [], rest: typed }
  const rest = [...found.rest, ...typed.slice(words.length)]
  // The help of `links` is about all that there is to do with links.
  const isWhole = found.operation?.words.length === found.group.length
  if (!isWhole && rest.length === 1 && /^(-h|--help)$/.test(`${rest[0]}`)) {
    return { group: found.group, rest }
  }
  return found.operation ? { operation: found.operation, rest } : { group: found.group, rest }
}

/** `stats spring` asks for the analytics of a link, and `stats` for those of all; `links export` has all that belongs to them, too. */
function asNamed([first = '', ...others]: readonly string[]): readonly string[] {
  const rest = others.map((word, index) => (index === 0 && otherWords[word]) || word)
  if (first === 'links' && rest[0] === 'export') return rest
  if (first === 'stats') return rest.length > 0 ? ['links', 'analytics', ...rest] : ['analytics']
  return [otherWords[first] ?? first, ...rest]
}

/** The operation or group that words begin with, and the words after it. */
function startOf(words: readonly string[], operations: readonly Operation[]) {
  for (let count = words.length; count > 0; count -= 1) {
    const group = words.slice(0, count)
    const rest = words.slice(count)
    const inside = operations.filter(it => group.every((word, index) => it.words[index] === word))
    const operation =
      inside.find(it => it.words.length === count) ?? usualOf(inside, count, rest.length > 0)
    if (inside.length > 0) return { operation, group, rest }
  }
  return undefined
}

/** What a group does without a verb: it shows the thing that is named, or lists all. */
function usualOf(inside: readonly Operation[], count: number, isNamed: boolean) {
  const verb = (name: string) =>
    inside.find(it => it.words.length === count + 1 && it.words[count] === name)
  const show = verb('show')
  const takesName = show?.path.includes('{')
  if (isNamed) return count > 1 && takesName ? show : undefined
  return verb('list') ?? (takesName ? undefined : show)
}

/** The commands of a group, for people. */
export function helpOfGroup(
  group: readonly string[],
  operations: readonly Operation[],
): readonly string[] {
  const inside = operations.filter(it => group.every((word, index) => it.words[index] === word))
  const about = (inside.find(it => it.words.at(-1) === 'list') ?? inside[0])?.group ?? ''
  const rows = inside.map(it => {
    const words = it.words.slice(group.length).join(' ')
    return [`${words} ${usageOf(it)}`.trim(), it.summary] as const
  })
  const moving: readonly Row[] = [
    ['import [file]', 'Bring links from another program, and wait until all have come'],
    ['export', 'Download links with all that belongs to them, as JSON lines'],
  ]
  return [
    `Usage: linnet ${group.join(' ')} <command> [options]`,
    '',
    ...(about === '' ? [] : [about, '']),
    ...inRows(group.join() === 'links' ? [...rows, ...moving] : rows),
    '',
    `Run one with --help to see its options: linnet ${inside[0]?.words.join(' ')} --help`,
  ]
}

/** All that a server has, by groups. */
export function helpOfServer(operations: readonly Operation[]): readonly string[] {
  const groups = Map.groupBy(operations, ({ words }) => words[0] ?? '')
  const rows = [...groups].map(([name, inside]): Row => {
    const verbs = new Set(inside.map(({ words }) => words[1] ?? ''))
    return [name, [...verbs].join(', ')]
  })
  return [
    'Usage: linnet remote <command> [options]',
    '',
    'What the server has, its plugins included. Most need no remote before them.',
    '',
    ...inRows(rows.sort(([one], [other]) => (one < other ? -1 : 1))),
    '',
    'Run one with --help to see what it does: linnet remote links --help',
  ]
}

type Row = readonly [name: string, about: string]

function inRows(rows: readonly Row[]): readonly string[] {
  const wide = Math.min(36, Math.max(...rows.map(([name]) => name.length)))
  return [
    'Commands:',
    ...rows.map(([name, about]) =>
      name.length > wide
        ? `  ${name}\n  ${' '.repeat(wide)}  ${about}`
        : `  ${name.padEnd(wide)}  ${about}`,
    ),
  ]
}
