import { caught } from '../../lib/caught.ts'
import type { Events, Log } from '../../plugin.ts'
import { actAs, isOver } from '../../storage/acting.ts'
import { dropOldest, lostEvents, mostWaitingInWords } from '../../storage/bound-outbox.ts'
import type { Database, Locks } from '../../storage/database.ts'
import {
  dropUnseen,
  type Listener,
  learnListeners,
  nextEvents,
  onTold,
  readListeners,
  seeListeners,
  setAddresses,
  setListeners,
  settleEvents,
} from '../../storage/outbox.ts'
import type { Containment } from '../contain/contain.ts'
import { untoldKinds } from '../load/names.ts'
import type { RunningPlugin, RunningPlugins } from '../run/start-plugins.ts'

/** Hands events to the plugins that hear of them. */
export interface Delivery {
  /**
   * Delivers to the plugins that run, from now on. Others hear of nothing any more, except those that could not start:
   * what happens goes on waiting for them.
   */
  deliverTo(plugins: Pick<RunningPlugins, 'running' | 'leftOut'>): Promise<void>
  /** Learns again who listens, because another server has changed that. */
  learn(): Promise<void>
  /** Looks for events, because another server has written some. */
  wake(): void
  /** Drops the oldest events of plugins for which too many wait, and all of plugins that no server has any more. */
  dropOldest(): Promise<void>
  /** The plugins that failed of the event that is next. */
  failing(): Promise<readonly Listener[]>
  /** How many events were dropped of which plugins were not told yet, by feature. */
  lost(): Promise<ReadonlyMap<string, number>>
  /** Whether anything is being delivered now. */
  isBusy(): boolean
  /** Stops after the event that is being handled. */
  close(): Promise<void>
}

interface Deps {
  readonly db: Database
  readonly log: Log
  readonly contain: Containment
  readonly locks: Locks | undefined
  now(): Date
}

/** How many events are read at a time: each has a link twice, which may be hundreds of kilobytes. */
const atOnce = 20

/** How long to wait before the next try after so many failures, in milliseconds. The last holds for all after it. */
const pausesMs = [5, 15, 60, 300, 900, 3_600].map(seconds => seconds * 1_000)

/** How often to look for events of other processes, such as commands, in milliseconds. */
const lookMs = 5_000

/** How often a server says which plugins are on, and when one is gone that none has named, in milliseconds. */
const seeMs = 3_600_000
const unseenMs = 24 * seeMs

export function createDelivery({ db, log, contain, locks, now }: Deps): Delivery {
  const lines = new Map<string, Line>()
  let isOpen = true
  let looking: NodeJS.Timeout | undefined
  let seeing: NodeJS.Timeout | undefined
  /** The plugins that are on here, whether they run or could not start. */
  let present: readonly string[] = []

  function wake(): void {
    for (const line of lines.values()) line.wake()
  }

  /** Looks again and again while anybody listens. */
  function look(): void {
    clearInterval(looking)
    clearInterval(seeing)
    if (lines.size === 0 || !isOpen) return
    looking = setInterval(wake, lookMs).unref()
    seeing = setInterval(() => {
      seeListeners(db, present, now()).catch(() => undefined)
    }, seeMs).unref()
  }

  onTold(db, wake)

  return {
    async deliverTo({ running, leftOut }) {
      const all = running.map(({ plugin }) => plugin)
      const hearing = running.filter(isHearing)
      const features = new Set(hearing.map(({ plugin }) => plugin.feature as string))
      const listening = hearing.map(({ plugin: { feature, events, unstable } }) => ({
        feature,
        kinds: unstable?.hears === 'chosen' ? undefined : events.kinds,
      }))
      const addresses = hearing.map(
        ({ plugin: { feature, unstable }, context: { settings } }) =>
          [feature, settings[unstable?.clientAddresses ?? '']] as const,
      )
      setAddresses(db, new Map(addresses))
      const known = (await readListeners(db)).map(({ feature }) => feature)
      // A plugin that another server has may never have been here.
      const isGone = (it: string) =>
        !features.has(it) && leftOut[it] === undefined && (!locks || lines.has(it))
      const at = now()
      await setListeners(db, listening, known.filter(isGone), at)
      present = [...features, ...Object.keys(leftOut)]
      // It is said again every while: a full disk must not prevent a start.
      await seeListeners(db, present, at).catch(() => undefined)
      const ends = new Map<string, Promise<void>>()
      for (const [feature, line] of lines) {
        if (hearing.some(member => member === line.member)) continue
        lines.delete(feature)
        ends.set(feature, line.close())
      }
      for (const member of hearing) {
        const { feature } = member.plugin
        if (lines.has(feature)) continue
        const untold = untoldKinds(member.plugin, all)
        if (untold.length > 0) {
          log.info(`${feature} hears of ${untold.join(', ')}, of which no plugin that is on tells`)
        }
        lines.set(feature, createLine(member, ends.get(feature), { db, log, contain, locks, now }))
      }
      look()
      wake()
    },
    learn: () => learnListeners(db),
    wake,
    async dropOldest() {
      // Another server may have had it, and be gone.
      await dropUnseen(db, new Date(now().getTime() - unseenMs))
      for (const [feature, count] of await dropOldest(db, now())) {
        log.warn(
          `Events for ${feature} were dropped, because more than ${mostWaitingInWords} waited: ${count}`,
          { feature, dropped: count },
        )
      }
    },
    failing: async () => (await readListeners(db)).filter(({ failures }) => failures > 0),
    lost: () => lostEvents(db),
    isBusy: () => [...lines.values()].some(line => line.isBusy()),
    async close() {
      isOpen = false
      look()
      await Promise.all([...lines.values()].map(line => line.close()))
    },
  }
}

type Hearing = RunningPlugin & { readonly plugin: { readonly events: Events } }

function isHearing(member: RunningPlugin): member is Hearing {
  return member.plugin.events !== undefined
}

/** The events of one plugin, which are handed to it one after another. */
interface Line {
  readonly member: RunningPlugin
  wake(): void
  isBusy(): boolean
  close(): Promise<void>
}

/** @param before must have ended, because nobody else may hand over these events meanwhile */
function createLine(
  member: Hearing,
  before: Promise<void> | undefined,
  { db, log, contain, locks }: Deps,
): Line {
  const { plugin, unhurried } = member
  const { feature, events } = plugin
  const part = 'events'
  let isOpen = true
  let isAsked = false
  let failures: number | undefined
  let working: Promise<void> | undefined
  let pause: NodeJS.Timeout | undefined
  let letGo: (() => Promise<void>) | undefined

  function wake(): void {
    isAsked = true
    if (!isOpen || working || pause) return
    working = work().finally(() => {
      working = undefined
      if (isAsked) wake()
    })
  }

  function waitMs(ms: number): void {
    isAsked = false
    pause = setTimeout(() => {
      pause = undefined
      wake()
    }, ms).unref()
  }

  async function work(): Promise<void> {
    isAsked = false
    try {
      await before
      // One of several servers delivers, as long as it runs.
      letGo ??= locks ? await locks.take(`events ${feature}`) : async () => undefined
      if (letGo === undefined) return
      while (isOpen && (await deliverSome())) isAsked = false
    } catch (error) {
      // Health and the log tell of the database itself.
      log.warn(`Events for ${feature} cannot be delivered now`, { feature, error: caught(error) })
      waitMs(lookMs)
    }
  }

  /** Returns false if there is nothing to deliver now. */
  async function deliverSome(): Promise<boolean> {
    const waiting = await nextEvents(db, feature, atOnce)
    if (waiting.length === 0) return false
    failures ??= (await readListeners(db)).find(it => it.feature === feature)?.failures ?? 0
    let had: number[] = []
    const settle = async () => {
      failures = 0
      if (had.length > 0) await settleEvents(db, feature, had, { failures, problem: null })
      had = []
    }
    for (const { id, chain, event } of waiting) {
      if (!isOpen) break
      // Not in the name of whoever woke this line.
      const handle = () =>
        actAs({ kind: 'plugin', feature, chain }, () => events.handle(event, unhurried))
      const answer = contain.run(feature, 'on', handle, { part })
      const handled = await answer
      const isOurFault =
        !handled.ok && (handled.isUnavailable === true || handled.isOverloaded === true)
      // Tried again, what ends a chain of changes would fail again: the log and health tell of it.
      if (!handled.ok && (isOurFault || !isOver(chain, feature))) {
        await fail(had, isOurFault)
        return false
      }
      had.push(id)
      // Whoever waits for another program takes long: a stop or a kill should not make it begin anew.
      if (answer instanceof Promise) await settle()
    }
    await settle()
    return isOpen
  }

  async function fail(had: readonly number[], isOurFault: boolean): Promise<void> {
    const before = had.length > 0 ? 0 : (failures ?? 0)
    failures = isOurFault ? before : before + 1
    const problem = contain.health()[`${feature} ${part}`]?.last ?? null
    waitMs(isOurFault ? lookMs : (pausesMs[failures - 1] ?? pausesMs.at(-1) ?? lookMs))
    await settleEvents(db, feature, had, { failures, problem: isOurFault ? null : problem })
  }

  return {
    member,
    wake,
    isBusy: () => working !== undefined,
    async close() {
      isOpen = false
      clearTimeout(pause)
      await working
      await letGo?.().catch(() => undefined)
    },
  }
}
