import { setMaxListeners } from 'node:events'
import { messageForPeople } from '../../lib/message-for-people.ts'
import type { ClaimedPaths } from '../../links/codes/claimed-paths.ts'
import { afterHosts } from '../../links/codes/code-rules.ts'
import type { Json } from '../../plugin/fields.ts'
import type { Context, Plugin } from '../../plugin.ts'
import { type Database, inUnflushedTransaction, type Tx } from '../../storage/database.ts'
import { isDamage } from '../../storage/files/damage.ts'
import type { Containment } from '../contain/contain.ts'
import { pathsOf } from '../load/taken-names.ts'
import { contextWithin, createContext, type Services } from './create-context.ts'
import { unhurried } from './in-turns.ts'
import { changedByNewer, migratePlugin } from './plugin-migrations.ts'
import { readPluginSettings } from './plugin-settings.ts'

/** A plugin that is set up, with its context. */
export interface RunningPlugin {
  readonly plugin: Plugin
  /** The stored settings that it was set up with. */
  readonly stored: StoredValues
  readonly context: Context
  /** The same for what no redirect waits for. */
  readonly unhurried: Context
  /** The same context in a transaction. */
  within(tx: Tx): Context
  /** Aborts its signal, waits for `before`, and then disposes of it. Does so only once, and never rejects. */
  stop(before?: Promise<unknown>): Promise<void>
}

export type StoredValues = Readonly<Record<string, Json>>

/** Why a plugin does not run. */
export interface Failure {
  readonly of: 'settings' | 'path' | 'migration' | 'set-up'
  /** Without a full stop. */
  readonly why: string
  /** The stack, if its code failed. */
  readonly stack?: string | undefined
}

/** The end of "It is left out: …". */
export function reasonOf({ of, why }: Failure): string {
  return of === 'settings' || of === 'path' ? why : `its ${of} failed: ${why}`
}

export interface StartDeps {
  readonly services: Services
  readonly claimedPaths: Pick<ClaimedPaths, 'claim'>
  readonly contain: Containment
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Migrates and sets up a plugin; disposes of it on failure. Throws errors not caused by it. No new link gets one of its paths from
 * here to its stop.
 */
export async function startPlugin(
  plugin: Plugin,
  stored: StoredValues,
  deps: StartDeps,
): Promise<RunningPlugin | Failure> {
  const release = deps.claimedPaths.claim(pathsOf(plugin))
  try {
    const outcome = await setUpPlugin(plugin, stored, deps, release)
    if (!('plugin' in outcome)) release()
    return outcome
  } catch (error) {
    release()
    throw error
  }
}

async function setUpPlugin(
  plugin: Plugin,
  stored: StoredValues,
  { services, contain, env }: StartDeps,
  releasePaths: () => void,
): Promise<RunningPlugin | Failure> {
  const { feature } = plugin
  const { values, mistakes, leftovers } = readPluginSettings(plugin, { [feature]: stored }, env)
  for (const name of leftovers) {
    services.log.warn(`${feature} has no setting ${name}: what is stored for it has no effect`)
  }
  if (mistakes.length > 0) return { of: 'settings', why: mistakes.join(' ').replace(/\.$/, '') }
  const hidden = await hiddenCode(plugin, services.db)
  if (hidden !== undefined) {
    const why = `it answers /${hidden}, which is the short code of a link. It can run once that link is deleted`
    return { of: 'path', why }
  }
  const unmigrated = await migrationFailure(plugin, services, contain)
  if (unmigrated) return { of: 'migration', ...unmigrated }

  const life = endingWith(services.signal)
  let isStopped = false
  const heed = () => {
    if (isStopped) contain.noteStray(feature)
  }
  const context = createContext(plugin, services, values, life, heed)
  const member = (context: Context): RunningPlugin => {
    let stopping: Promise<void> | undefined
    async function stop(before?: Promise<unknown>): Promise<void> {
      life.abort()
      releasePaths()
      await before
      if (plugin.dispose) await contain.run(feature, 'dispose', () => plugin.dispose?.(context))
      services.unblockHosts(life)
      isStopped = true
      contain.noteStopped(feature)
    }
    return {
      plugin,
      stored,
      context,
      unhurried: unhurried(context),
      within: tx => contextWithin(tx, context, plugin, services),
      stop(before) {
        stopping ??= stop(before)
        return stopping
      },
    }
  }
  const state = await contain.run(feature, 'setup', () => plugin.setup?.(context as never))
  if (state.ok) return member({ ...context, state: state.value })
  const { last: why = 'it failed', stack } = contain.health()[`${feature} setup`] ?? {}
  contain.forget(`${feature} setup`)
  await member(context).stop()
  return { of: 'set-up', why, stack }
}

/** The short code of a link that the plugin's paths would hide; undefined if there is none, or the table is damaged. */
async function hiddenCode(plugin: Plugin, db: Database): Promise<string | undefined> {
  const paths = pathsOf(plugin)
  if (paths.length === 0) return undefined
  // Links that are being saved were asked for before the paths were claimed. Where nothing can be written, there are none.
  await inUnflushedTransaction(db, async () => undefined).catch(() => undefined)
  const everywhere = paths.flatMap(([path, hosts]) => (hosts === 'all' ? [path] : []))
  try {
    return (
      (await codeOn(
        '',
        paths.map(([path]) => path),
        db,
      )) ?? (await codeOnAnyHost(everywhere, db))
    )
  } catch (error) {
    if (!isDamage(error)) throw error
    return undefined
  }
}

async function codeOnAnyHost(codes: readonly string[], db: Database): Promise<string | undefined> {
  let host: string | undefined = ''
  while (codes.length > 0 && host !== undefined) {
    // One step of the key for each host: the codes of a host may be millions.
    const next: { readonly domain: string } | undefined = await db
      .selectFrom('short_codes')
      .select('domain')
      .where('domain', '>', host)
      .where('domain', '<', afterHosts)
      .orderBy('domain')
      .limit(1)
      .executeTakeFirst()
    host = next?.domain
    const code = host === undefined ? undefined : await codeOn(host, codes, db)
    if (code !== undefined) return code
  }
  return undefined
}

async function codeOn(
  host: string,
  codes: readonly string[],
  db: Database,
): Promise<string | undefined> {
  if (codes.length === 0) return undefined
  const ofLinks = db
    .selectFrom('short_codes')
    .select('code')
    .where('domain', '=', host)
    .where('link_id', 'is not', null)
    .limit(1)
  // Each takes a step of the key. For one condition with all of them, SQLite would read all codes of the host.
  const found = await ofLinks.where('code', 'in', codes).executeTakeFirst()
  if (found) return found.code
  for (const path of codes) {
    // With a slash in it, a code is below a path. The sign after the slash is the zero.
    const below = ofLinks.where('code', '>', `${path}/`).where('code', '<', `${path}0`)
    const row = await below.executeTakeFirst()
    if (row) return row.code
  }
  return undefined
}

async function migrationFailure(
  plugin: Plugin,
  services: Services,
  contain: Containment,
): Promise<Pick<Failure, 'why' | 'stack'> | undefined> {
  const name = `${plugin.feature} migration`
  async function bounded<T>(work: () => Promise<T>): Promise<T> {
    const done = await contain.run(plugin.feature, 'migration', work)
    if (done.ok) return done.value
    throw done.error ?? new Error(contain.health()[name]?.last)
  }
  try {
    await migratePlugin(services.db, plugin, services.now, bounded)
    if (plugin.migrations && (await changedByNewer(services.db, [plugin])).length > 0) {
      services.log.warn(
        `A newer version of ${plugin.feature}, of another server or installed here before, has changed its tables. Install that version`,
      )
    }
    return undefined
  } catch (error) {
    if (isDamage(error)) throw error
    const why = messageForPeople(error).replace(/\.$/, '')
    return { why, stack: contain.health()[name]?.stack }
  } finally {
    contain.forget(name)
  }
}

/** Aborted with the process or earlier. Once aborted, it leaves no listener on the signal of the process. */
function endingWith(process: AbortSignal): AbortController {
  const life = new AbortController()
  const stop = () => life.abort(process.reason)
  if (process.aborted) stop()
  // A plugin may add many listeners to the signal, and that is not a leak.
  setMaxListeners(0, life.signal)
  process.addEventListener('abort', stop, { once: true, signal: life.signal })
  return life
}
