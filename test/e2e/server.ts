import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type Exit, type Run, start, temporaryFolder } from './program.ts'

/** A running Linnet. */
export interface Instance {
  /** The origin, such as `http://127.0.0.1:40123`. */
  readonly url: string
  readonly dataDir: string
  /** Calls the API with the token. */
  api(method: string, path: string, body?: unknown, headers?: Headers): Promise<Answer>
  /** Requests a path as a visitor, without following redirects. */
  get(path: string, headers?: Headers): Promise<Answer>
}

/** A server in its own process. */
export interface Server extends Instance {
  readonly pid: number
  /** Milliseconds from the start of the process until it logged that it is ready. */
  readonly readyMs: number
  /** Its log, newest last. */
  readonly log: readonly LogLine[]
  /** The first line, past or future, whose message matches. */
  logged(message: RegExp): Promise<LogLine>
  /** Its standard error, once it has ended. */
  readonly stderr: Promise<string>
  /** How it ended, once it has. */
  readonly exit: Promise<Exit>
  /** Sends a signal and waits for the end, and for the last line of the log. */
  kill(signal: NodeJS.Signals): Promise<Exit>
}

export interface LogLine {
  readonly level: string
  readonly message: string
  readonly [detail: string]: unknown
}

export interface Answer {
  readonly status: number
  readonly headers: Response['headers']
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
  readonly body: any
}

type Headers = Readonly<Record<string, string>>

export interface ServeOptions extends Omit<Run, 'stdin'> {
  /** By default a new one. */
  readonly dataDir?: string
  /** False: no admin exists. */
  readonly admin?: boolean
}

/** The token of the admin. */
export const token = 'lnt_Qx7vR2mK9pLw4ZtYc8Nf3Hd6Sb1Ga5Je0UiOoTqEyWz'

/** The user agent of visitors: without it they count as robots. */
export const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

/** The admin that servers start with. */
export const admin = { email: 'ada@example.org', password: 'correct horse' }

const adminEnv = {
  LINNET_ADMIN_EMAIL: admin.email,
  LINNET_ADMIN_PASSWORD: admin.password,
  LINNET_BOOTSTRAP_TOKEN: token,
}

/** Serves on a free port; if the server ends before it is ready, rejects with its output. */
export async function serve(options: ServeOptions = {}): Promise<Server> {
  const {
    dataDir = temporaryFolder(),
    admin = true,
    env,
    program,
    through = [],
    atFullCost = false,
  } = options
  const startedAt = performance.now()
  const { child, exit } = start(['serve'], {
    env: { ...serverEnv(dataDir), ...(admin && adminEnv), ...env },
    ...(program && { program }),
    through,
    atFullCost,
  })
  const { log, logged, whole } = readLog(child.stdout)
  const stderr = text(child.stderr)
  const { url } = await Promise.race([
    logged(/^Linnet is ready/),
    exit.then(async ({ code }) => {
      throw new Error(`It ended with ${code}: ${await stderr}${JSON.stringify(log)}`)
    }),
  ])

  return {
    url: String(url),
    dataDir,
    pid: child.pid ?? 0,
    readyMs: performance.now() - startedAt,
    log,
    logged,
    stderr,
    exit,
    ...callsTo(String(url)),
    async kill(signal) {
      child.kill(signal)
      await whole
      return exit
    },
  }
}

/** The calls to an instance, as the admin and as a visitor. */
export function callsTo(url: string): Pick<Instance, 'api' | 'get'> {
  return {
    get: (path, headers = {}) =>
      call(url + path, { headers: { 'user-agent': browser, ...headers } }),
    api: (method, path, body, headers = {}) =>
      call(`${url}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...jsonType(body), ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
  }
}

/** The environment of a server on this folder and a free port. */
export function serverEnv(dataDir: string): Readonly<Record<string, string>> {
  return {
    LINNET_DATA_DIR: dataDir,
    LINNET_HOST: '127.0.0.1',
    LINNET_BASE_URL: 'http://127.0.0.1:0',
    LINNET_PORT: '0',
  }
}

/** Creates a link; throws unless the answer is 201. */
export async function createLink(server: Pick<Instance, 'api'>, fields: object = {}) {
  const answer = await server.api('POST', '/links', {
    original_url: 'https://example.com/',
    ...fields,
  })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body.data as { readonly id: string; readonly shortCode: string }
}

function readLog(stdout: Readable) {
  const log: LogLine[] = []
  const lines = createInterface(stdout).on('line', line => log.push(JSON.parse(line)))
  return {
    log,
    /** Resolves when there is no more of it, which may be after the process has ended. */
    whole: once(lines, 'close'),
    async logged(message: RegExp): Promise<LogLine> {
      for (;;) {
        const found = log.find(line => message.test(line.message))
        if (found) return found
        await once(lines, 'line')
      }
    },
  }
}

function jsonType(body: unknown): Headers {
  return body === undefined ? {} : { 'content-type': 'application/json' }
}

async function call(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, { redirect: 'manual', ...init })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  }
}
