import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { version } from '../../package.json'
import { temporaryFolder } from '../e2e/program.ts'
import { callsTo, type Instance, token, admin as usualAdmin } from '../e2e/server.ts'
import {
  buildApp,
  contract,
  createLog,
  ensureAdmin,
  features,
  hashCheaply,
  openSqlite,
  plans,
  registry,
  settingsInMemory,
  usualPlugins,
} from '../inside.ts'

export interface StartOptions {
  /** False: no admin exists. */
  readonly admin?: boolean
  /** Only these plugins, as in `PLUGINS`; by default all. */
  readonly plugins?: readonly string[]
  /** Schemes that addresses of links may have besides http and https; none by default. */
  readonly targetSchemes?: readonly string[]
  /** What plugins find in the environment; nothing by default. */
  readonly env?: Readonly<Record<string, string>>
}

/** A test must not fail because the machine is busy. */
const patienceMs = 30_000

// These tests need hashes, but not their cost.
hashCheaply()

/**
 * Starts Linnet in this process for tests in a browser. Each test gets a new one at the same address, so that the
 * browser has the dashboard's files already. Starting another process would take a second more each time.
 */
export async function startLinnet({
  admin = true,
  plugins,
  targetSchemes = [],
  env = {},
}: StartOptions = {}): Promise<Instance> {
  const dataDir = temporaryFolder()
  const storage = await openSqlite(join(dataDir, 'linnet.db'))
  const now = () => new Date()
  if (admin) await ensureAdmin(storage.db, { ...usualAdmin, fullName: null, token }, now)
  const url = await listening()
  const app = await buildApp({
    storage,
    settings: settingsInMemory(),
    registry,
    choice: { fixed: plugins, usual: usualPlugins },
    contract,
    plans,
    features,
    baseUrl: url,
    targetSchemes,
    trustedProxies: { kind: 'none' },
    filesFolder: join(dataDir, 'plugin-files'),
    env,
    log: createLog('silent'),
    now,
    version,
    patienceMs,
    checkAnswers: true,
  })
  onTestFinished(async () => {
    await app.close()
  })
  handle = app.server.handle
  return { url, dataDir, ...callsTo(url) }
}

let handle: RequestListener
const listener = createServer((req, res) => handle(req, res))

/** Listens at the one address of this process. */
async function listening(): Promise<string> {
  if (!listener.listening) await once(listener.listen(0, '127.0.0.1').unref(), 'listening')
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
}
