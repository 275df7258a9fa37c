import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseJson } from '../core/lib/text/json.ts'
import { meant } from '../core/lib/text/nearest-name.ts'
import { UserError } from '../core/lib/user-error.ts'
import { type Env, findText } from '../core/lib/variable-text.ts'
import { keyringOf } from './keyring.ts'

/** A Linnet elsewhere, and who calls it. */
export interface Server {
  /** By which it was logged in; undefined if the environment names it. */
  readonly name: string | undefined
  /** The origin. */
  readonly url: string
  readonly token: string
}

/** What is in the file. */
interface Known {
  /** The one that is called unless another is named. */
  readonly current: string | null
  /** `token` is null where the keyring has it. */
  readonly servers: Readonly<
    Record<string, { readonly url: string; readonly token: string | null }>
  >
}

/** The servers that somebody logged in to on this machine, and those of the environment. */
export function knownServers(env: Env) {
  const file = join(configFolder(env), 'servers.json')
  const keyring = keyringOf(env)

  function read(): Known {
    const text = readIfThere(file)
    if (text === undefined) return { current: null, servers: {} }
    // Somebody may have copied it here, open to all.
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
    const known = parseJson(text)
    if (isKnown(known)) return known
    throw new UserError(`${file} cannot be read. Delete it, and log in again: linnet login`)
  }

  /** In one step, so that whoever reads it meanwhile finds the one or the other. */
  function write(known: Known): void {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const fresh = `${file}.${process.pid}`
    writeFileSync(fresh, `${JSON.stringify(known, null, 2)}\n`, { mode: 0o600 })
    chmodSync(fresh, 0o600)
    renameSync(fresh, file)
  }

  function find(name: string, { servers }: Known) {
    const found = Object.hasOwn(servers, name) ? servers[name] : undefined
    if (found) return found
    const remedy = 'Those that are known are listed by: linnet servers'
    throw new UserError(
      `There is no server ${name} here. ${meant(name, Object.keys(servers), remedy)}`,
    )
  }

  return {
    file,

    /** The names and addresses, and which one is called unless another is named. */
    list() {
      const { current, servers } = read()
      return Object.entries(servers).map(([name, { url, token }]) => ({
        name,
        url,
        current: name === current,
        token: token === null ? 'keyring' : 'file',
      }))
    },

    /** Whether there is a server to call. Does not read which, so that a damaged file is told only to who needs it. */
    hasAny(): boolean {
      return Boolean(env.LINNET_URL) || existsSync(file)
    },

    /** The server to call: the named one, that of the environment, or the current one. */
    async choose(name: string | undefined): Promise<Server> {
      if (name === undefined && env.LINNET_URL) return ofEnvironment(env)
      if (name === undefined && findText({ name: 'LINNET_TOKEN' }, env)) {
        throw new UserError('LINNET_TOKEN is set without LINNET_URL: set that to the address too.')
      }
      const known = read()
      const chosen = name ?? known.current
      if (chosen === null) {
        throw new UserError(
          Object.keys(known.servers).length > 0
            ? 'Choose a server: linnet servers use <name>'
            : 'Log in first: linnet login https://go.example.org. Or set LINNET_URL and LINNET_TOKEN.',
        )
      }
      const { url, token } = find(chosen, known)
      const kept = token ?? (await keyring?.read(chosen))
      if (kept !== undefined) return { name: chosen, url, token: kept }
      throw new UserError(
        `The keyring has no token of ${chosen} any more. Run: linnet login ${url}`,
      )
    },

    /** The address by which a server was logged in. */
    urlOf(name: string): string {
      return find(name, read()).url
    },

    /** Keeps a server as the current one. Resolves to where the token is. */
    async add({ name, url, token }: Server & { name: string }, inFile: boolean): Promise<string> {
      const isInKeyring = !inFile && (await keyring?.write(name, token)) === true
      const { servers } = read()
      write({
        current: name,
        servers: { ...servers, [name]: { url, token: isInKeyring ? null : token } },
      })
      return isInKeyring ? `the keyring, by ${keyring?.program}` : file
    },

    use(name: string): void {
      const known = read()
      find(name, known)
      write({ ...known, current: name })
    },

    /** Forgets a server, and its token. */
    async remove(name: string): Promise<void> {
      const known = read()
      const { token } = find(name, known)
      if (token === null) await keyring?.remove(name)
      const { [name]: _, ...servers } = known.servers
      const [other] = Object.keys(servers)
      if (other === undefined) rmSync(file)
      else write({ current: known.current === name ? other : known.current, servers })
    },

    /** The name of the current server. */
    current(): string | null {
      return read().current
    },
  }
}

function isKnown(known: unknown): known is Known {
  const { servers, current } = (known ?? {}) as Partial<Known>
  if (typeof servers !== 'object' || servers === null || current === undefined) return false
  return Object.values(servers).every(it => typeof it?.url === 'string' && it.token !== undefined)
}

export type KnownServers = ReturnType<typeof knownServers>

async function ofEnvironment(env: Env): Promise<Server> {
  const found = findText({ name: 'LINNET_TOKEN', secret: true }, env)
  if (found && 'text' in found) {
    return { name: undefined, url: originOf(env.LINNET_URL ?? ''), token: found.text }
  }
  throw new UserError(found?.mistake ?? 'LINNET_URL is set without LINNET_TOKEN: set that too.')
}

/** The origin of an address that somebody typed, such as `go.example.org` or the address of a page there. */
export function originOf(typed: string): string {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`
  const url = URL.parse(whole)
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.hostname !== '') {
    return url.origin
  }
  throw new UserError(
    `"${typed}" is not the address of a server. Enter it as in a browser: https://go.example.org`,
  )
}

/** Where settings of programs are on this system. */
function configFolder(env: Env): string {
  const home = env.HOME || homedir()
  const byDefault = process.platform === 'win32' ? env.APPDATA : undefined
  return join(env.XDG_CONFIG_HOME || byDefault || join(home, '.config'), 'linnet')
}

/** Where programs keep what they could get again. */
export function cacheFolder(env: Env): string {
  const home = env.HOME || homedir()
  const byDefault = process.platform === 'win32' ? env.LOCALAPPDATA : undefined
  return join(env.XDG_CACHE_HOME || byDefault || join(home, '.cache'), 'linnet')
}

/** The text of a file; undefined if there is none. */
export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
