import { connect } from 'node:net'
import { onTestFinished } from 'vitest'
import type { z } from 'zod'
import type { SignedIn } from '../../../core/accounts/account.ts'
import type { Credentials } from '../../../core/http/api/access/identify.ts'
import { createPaging } from '../../../core/http/api/access/signed-pages.ts'
import { type ApiParts, createApi } from '../../../core/http/api/api.ts'
import type { Route } from '../../../core/http/api/route/route.ts'
import { themeOf } from '../../../core/http/pages/page-theme.ts'
import { createPageSender } from '../../../core/http/pages/send-page.ts'
import type { Handler } from '../../../core/http/request/split-paths.ts'
import { createLog } from '../../../core/http/server/log.ts'
import { createServer, type Limits, type Server } from '../../../core/http/server/server.ts'
import { refuse } from '../../../core/plugin/outcomes.ts'

/** A server of its own on a free port, stopped when the test ends. */
export interface Served {
  readonly port: number
  readonly server: Server
  /** What was logged, one object a line. */
  readonly logged: readonly Readonly<Record<string, unknown>>[]
  call(path: string, init?: RequestInit): Promise<Response>
  /** Send text as it is on a connection of its own; gives all that came back until it was closed. */
  raw(text: string): Promise<string>
}

/** Serve routes under `/api/v1` over real HTTP, everything else with `follow`. */
export async function serve(
  routes: readonly Route[],
  {
    follow = (_, res) => void res.end('followed'),
    limits = {},
    fastLane = true,
    ...parts
  }: Partial<ApiParts> & {
    follow?: Handler
    limits?: Partial<Limits>
    fastLane?: boolean
  } = {},
): Promise<Served> {
  const logged: Record<string, unknown>[] = []
  const log = createLog('info', { write: line => logged.push(JSON.parse(line)) })
  const api = createApi({
    base: '/api/v1',
    routes,
    credentials,
    clientAddress: () => '192.0.2.1',
    paging: createPaging(Buffer.from('secret')),
    confirm: neverConfirmed,
    log,
    checkAnswers: true,
    ...parts,
  })
  const server = createServer({
    ...{ follow, mounts: { api }, pageSender, log, fastLane },
    // All clients of a test have one address, as behind a proxy.
    limits: { trustedProxies: { kind: 'hops', count: 1 }, ...limits },
  })
  const port = await server.listen(0, '127.0.0.1')
  onTestFinished(async () => {
    await server.stop(0)
  })
  return {
    port,
    server,
    logged,
    call: (path, init) => fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init }),
    raw: text =>
      new Promise((resolve, reject) => {
        let answer = ''
        const socket = connect(port, '127.0.0.1', () => socket.write(text))
        socket.on('data', data => {
          answer += data
        })
        socket.on('close', () => resolve(answer))
        socket.on('error', reject)
      }),
  }
}

const noPassword = refuse('wrong_password', 'There is no password here.', 422, 'currentPassword')

/** For routes that ask for no password. */
const neverConfirmed: ApiParts['confirm'] = Object.assign(async () => noPassword, {
  password: async () => noPassword,
  fresh: async () => noPassword,
  left: async () => ({
    allowed: false,
    limit: 0,
    remaining: 0,
    windowSeconds: 60,
    retryAfterSeconds: 1,
  }),
})

/** Pages without a brand. */
export const pageSender = createPageSender(() => theme)
const theme = themeOf({ name: null, color: null, logo: null }, 'https://go.example')

/** A request with a JSON body and a token that may do everything. */
export function json(method: string, body: unknown): RequestInit {
  return {
    method,
    headers: { authorization: 'Bearer all', 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }
}

/** A request that proves who calls: `all`, `reader` or `admin`. */
export function as(token: string, init: RequestInit = {}): RequestInit {
  return { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } }
}

/** Three tokens and one session, known by heart. */
export const credentials: Credentials = {
  cookie: 'session',
  origins: ['https://go.example'],
  byToken: async token => {
    const scopes = { all: ['*'], admin: ['*'], reader: ['things:read'] }[token]
    if (!scopes) return refuse('invalid_token', 'This token is not valid.', 401)
    return { ...ada, scopes, isAdmin: token === 'admin' }
  },
  bySession: async value =>
    value === 'open' ? { ...ada, scopes: ['*'], credential: 'session' } : undefined,
  act: (_, work) => work(),
}

const ada: SignedIn = {
  accountId: 1,
  isAdmin: false,
  scopes: [],
  credential: 'token',
  account: {
    id: 1,
    email: 'ada@example.com',
    fullName: 'Ada',
    avatarUrl: null,
    isAdmin: false,
    plan: 'unlimited',
    hasPassword: true,
    passwordMark: '',
    emailVerifiedAt: null,
    suspendedAt: null,
    linksClosed: false,
    signedInAt: null,
    createdAt: new Date(0),
    updatedAt: new Date(0),
  },
}

/** A route that answers with whatever `handle` does. */
export function handledBy(handle: Route['handle'], answer?: z.ZodType): Route {
  const route = { method: 'GET', path: '/it', name: 'it', group: 'It', summary: 'It.' } as const
  return { ...route, scope: 'anyone', status: 200, handle, ...(answer && { answer }) }
}
