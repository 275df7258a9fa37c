import { countRequiredSteps } from '../../accounts/access/account-steps.ts'
import type { BrokenPlugin } from '../../kernel/load/outside-plugins.ts'
import type { RunningPlugins } from '../../kernel/run/start-plugins.ts'
import { counted } from '../../lib/text/shown.ts'
import type { Hosts } from '../../links/follow/hosts.ts'
import { countGuardedLinks, whyGuardedAreShut } from '../../links/read/guarded-links.ts'
import type { Log } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'

/**
 * Asks plugins again for their hosts. Links on a host that no plugin provides stay closed. If a plugin fails to list
 * its hosts, those known before stay, and it is asked again by itself.
 */
export async function findHosts(hosts: Hosts, log: Log): Promise<void> {
  const before = new Map(hosts.all())
  try {
    const failing = await hosts.refresh()
    if (failing.length > 0) throw new Error(`${failing.join(', ')} could not list hosts.`)
  } catch (error) {
    log.error('Links on custom domains stay closed until their plugin can list the domains', {
      error,
    })
  }
  for (const { name, owner, feature } of hosts.contested()) {
    log.warn(
      `${feature} names ${name} as a host of its own, but it is one of ${owner}, and stays one`,
      {
        feature,
        host: name,
      },
    )
  }
  for (const [host, it] of hosts.all()) {
    if (it !== 'shut' || before.get(host) === 'shut') continue
    log.warn(`Links on ${host} stay closed: no running plugin answers for this host.`, { host })
  }
}

/**
 * Links stay closed if the plugin that guards them does not run or has no guard any more, and accounts if the plugin of their second step does not.
 * Logs how many, and how to open them.
 */
export async function warnOfShut(
  db: Database,
  now: RunningPlugins,
  before: RunningPlugins | undefined,
  log: Log,
): Promise<void> {
  const runs = (feature: string, { running }: RunningPlugins) =>
    running.some(({ plugin }) => plugin.feature === feature)
  const guards = (feature: string, { running }: RunningPlugins) =>
    running.some(({ plugin }) => plugin.feature === feature && plugin.guard)
  for (const [feature, links] of await countGuardedLinks(db)) {
    if (guards(feature, now) || (before && !guards(feature, before))) continue
    log.warn(whyGuardedAreShut(feature, links, runs(feature, now)), { feature, links })
  }
  for (const [feature, accounts] of await countRequiredSteps(db)) {
    if (runs(feature, now) || (before && !runs(feature, before))) continue
    log.warn(
      `${counted(accounts, 'account')} ${accounts === 1 ? 'needs' : 'need'} a second step of ${feature}, which does not run, and ` +
        'cannot sign in. Switch it on or repair it, or let one in without it: linnet account reset-second-factor EMAIL',
      { feature, accounts },
    )
  }
}

/**
 * Logs what else changed about plugins.
 *
 * @param unread plugins that could not be imported, which have not been logged yet
 */
export function tellOfChange(
  now: RunningPlugins,
  before: RunningPlugins | undefined,
  unread: readonly BrokenPlugin[],
  log: Log,
): void {
  function placeOf(why: string) {
    const { stack } = unread.find(({ problem }) => problem === why) ?? {}
    return stack === undefined ? {} : { error: Object.assign(new Error(why), { stack }) }
  }
  const features = ({ running }: RunningPlugins) =>
    running.map(({ plugin }) => plugin.feature as string)
  if (before) {
    const ended = features(before).filter(it => !features(now).includes(it))
    const started = now.running.filter(it => !before.running.includes(it))
    if (ended.length > 0) log.info(`Switched off: ${ended.join(', ')}`)
    if (started.length > 0) {
      log.info(`Started: ${started.map(({ plugin }) => plugin.feature).join(', ')}`)
    }
  }
  for (const [name, why] of newIn(now.heldBack, before?.heldBack)) {
    log.error(`${name} runs as before its last change: ${why}`, placeOf(why))
  }
  for (const [name, why] of newIn(now.leftOut, before?.leftOut)) {
    log.error(`${name} does not run: ${why}`, placeOf(why))
  }
}

function newIn(
  now: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>> = {},
) {
  return Object.entries(now).filter(([name, why]) => before[name] !== why)
}
