import type { Command } from 'commander'
import { commandsElsewhere } from '../core/cli/command-names.ts'
import { meant } from '../core/lib/text/nearest-name.ts'
import { UserError } from '../core/lib/user-error.ts'
import type { Operation } from './description.ts'
import { type Found, findCommand, helpOfGroup, helpOfServer } from './find-command.ts'
import { asksJson, type Io, print, printJson, tell, widthOf } from './io.ts'
import { isAlwaysElsewhere } from './is-for-elsewhere.ts'
import { knownServers, originOf } from './known-servers.ts'
import { logIn } from './log-in.ts'
import { connect, readDescription } from './read-description.ts'
import { runOperation } from './run-operation.ts'
import { tableOf } from './table-and-card.ts'
import { commandOn } from './typed-command.ts'

/**
 * Runs a command for a server elsewhere. Resolves to its exit code, or undefined if neither this program nor the server
 * has such a command. Tells its caller which server is called.
 */
export async function runRemote(
  typed: readonly string[],
  io: Io,
  calling: { url?: string },
): Promise<number | undefined> {
  // The word that is being typed may be the name of a server.
  if (typed[0] === 'complete') {
    return (await import('./complete.ts')).complete(typed.slice(1), io)
  }
  const { words, server: name } = takeServer(asHelp(typed))
  const [first = ''] = words
  if (Object.hasOwn(own, first)) return own[first]?.(words.slice(1), { io, name, calling })

  const isExplicit = first === 'remote'
  const wanted = isExplicit ? words.slice(1) : words
  const server = await knownServers(io.env).choose(name)
  calling.url = server.url
  const operations = await readDescription(server.url, io)
  const linnet = connect(server, io)
  if (wanted[0] === 'links' && wanted[1] === 'import') {
    const { importLinks } = await import('./import-links.ts')
    return importLinks(wanted.slice(2), { linnet, operations, io })
  }
  const found = findCommand(wanted, operations)
  if ('operation' in found) {
    return runOperation(found.operation, found.rest, { linnet, operations, io })
  }
  if (found.group.length > 0 || wanted.every(word => word.startsWith('-'))) {
    return explain(found, operations, io)
  }
  if (!isExplicit && !isAlwaysElsewhere(first)) return undefined
  throw new UserError(unknown(wanted, operations, server.url))
}

/** `help links` is `links --help`. */
function asHelp(typed: readonly string[]): readonly string[] {
  return typed[0] === 'help' ? [...typed.slice(1), '--help'] : typed
}

/** Takes out which server to call, which may stand anywhere. */
function takeServer(typed: readonly string[]) {
  const at = typed.findIndex(word => word === '--server' || word.startsWith('--server='))
  const option = typed[at]
  if (option === undefined) return { words: typed, server: undefined }
  const [, joined] = option.split('=', 2)
  const server = joined ?? typed[at + 1]
  if (!server) throw new UserError('Name the server after --server: linnet servers lists them.')
  return { words: typed.toSpliced(at, joined === undefined ? 2 : 1), server }
}

/** The help of a group of commands, unless a word after it is none of them. */
async function explain(
  found: Extract<Found, { group: unknown }>,
  operations: readonly Operation[],
  io: Io,
) {
  const { group, rest } = found
  const lines = group.length > 0 ? helpOfGroup(group, operations) : helpOfServer(operations)
  const [wrong] = rest.filter(word => !word.startsWith('-'))
  if (wrong === undefined) {
    await print(io, ...lines)
    return 0
  }
  const known = operations
    .filter(({ words }) => group.every((word, index) => words[index] === word))
    .flatMap(({ words }) => words[group.length] ?? [])
  const remedy = `Those that there are: linnet ${group.join(' ')} --help`
  throw new UserError(
    `linnet ${group.join(' ')} has no command ${wrong}. ${meant(wrong, known, remedy)}`,
  )
}

function unknown([first = '']: readonly string[], operations: readonly Operation[], url: string) {
  const known = [...new Set(operations.map(({ words }) => words[0] ?? ''))]
  const remedy =
    'It may be older than this program, or the plugin that has it is off. Those that it has: linnet remote'
  return `${url} has no command ${first}. ${meant(first, known, remedy)}`
}

interface About {
  readonly io: Io
  /** The server that was named by `--server`. */
  readonly name: string | undefined
  readonly calling: { url?: string }
}

type Own = (words: readonly string[], about: About) => Promise<number>

/** The commands that are about servers, and not of one. */
const own: Readonly<Record<string, Own>> = {
  async login(words, { io, calling }) {
    const command = ownCommand('login', io, words)
      .argument('<address>', 'the address of the server, such as https://go.example.org')
      .option('--name <name>', 'what to call it here (default: its host)')
      .option('--no-keyring', 'keep the token in a file that only you can read')
      .addHelpText('after', '\nLinnet asks for an API token, or reads it from standard input.')
    command.parse([...words], { from: 'user' })
    const { name, keyring } = command.opts<{ name?: string; keyring: boolean }>()
    calling.url = originOf(`${command.args[0]}`)
    return logIn({ url: calling.url, name, inFile: !keyring, asJson: asksJson(words) }, io)
  },

  async logout(words, { io, name: server }) {
    const command = ownCommand('logout', io, words).argument(
      '[name]',
      'the server (default: the current one)',
    )
    command.parse([...words], { from: 'user' })
    const servers = knownServers(io.env)
    const name = command.args[0] ?? server ?? servers.current()
    if (!name) throw new UserError('You are logged in nowhere.')
    await servers.remove(name)
    if (asksJson(words)) await printJson(io, { name })
    tell(
      io,
      `${name} is forgotten here. The token is valid until somebody revokes it: linnet tokens revoke`,
    )
    return 0
  },

  async servers(words, { io }) {
    const command = ownCommand('servers', io, words)
      .argument('[use]', 'use: choose the server that is called unless another is named')
      .argument('[name]')
    command.parse([...words], { from: 'user' })
    const [verb, name] = command.args
    const servers = knownServers(io.env)
    if (verb === 'use' && name !== undefined) {
      servers.use(name)
      if (asksJson(words)) await printJson(io, { name })
      tell(io, `Commands are for ${name} now.`)
      return 0
    }
    if (verb !== undefined) throw new UserError('Type: linnet servers use <name>')
    const all = servers.list()
    if (asksJson(words)) await printJson(io, all)
    else if (all.length === 0)
      tell(io, 'There are none. Log in: linnet login https://go.example.org')
    else {
      const columns = ['name', 'url', 'current', 'token']
      await print(io, ...tableOf(all, { width: widthOf(io), columns }))
    }
    return 0
  },

  async open(words, { io, name, calling }) {
    const { openPage } = await import('./open-page.ts')
    const command = ownCommand('open', io, words)
      .argument('[link]', 'a short code, short URL or id (default: the dashboard)')
      .option('--print', 'only print the address')
    command.parse([...words], { from: 'user' })
    const server = await knownServers(io.env).choose(name)
    calling.url = server.url
    const { print: isPrinted = false } = command.opts<{ print?: boolean }>()
    return openPage({ server, link: command.args[0], isPrinted, asJson: asksJson(words) }, io)
  },

  async mcp(words, { io, name, calling }) {
    const { relayMcp } = await import('./relay-mcp.ts')
    ownCommand('mcp', io, words).parse([...words], { from: 'user' })
    const server = await knownServers(io.env).choose(name)
    calling.url = server.url
    // First, so that no token goes to what is no Linnet.
    await readDescription(server.url, io)
    return relayMcp(server, io)
  },

  async completion(words, { io }) {
    const { printScript, shells } = await import('./complete.ts')
    const command = ownCommand('completion', io, words).argument('<shell>', shells.join(', '))
    command.parse([...words], { from: 'user' })
    return printScript(`${command.args[0]}`, io)
  },
}

function ownCommand(
  name: keyof typeof commandsElsewhere,
  io: Io,
  words: readonly string[],
): Command {
  return commandOn(io, name, commandsElsewhere[name], words)
}
