import type { Command } from 'commander'
import { loadPlugins } from '../kernel/load-plugins.ts'
import { findRemains, purgePlugin, type Remains } from '../kernel/purge-plugin.ts'
import { releaseGuard } from '../links/guarded-links.ts'
import { withDataFolder, withLock } from './data-folder.ts'
import { featuresOn } from './features-on.ts'
import { nearestName } from './nearest-name.ts'
import type { Setting } from './setting.ts'
import { UserError } from './user-error.ts'

/** `linnet plugins` */
export function addPluginsCommand(program: Command, setting: Setting): void {
  const known = (feature: string): string => checkFeature(feature, setting)
  const plugins = program
    .command('plugins')
    .description('See which plugins are on; switch them on and off.')
    .addHelpText(
      'after',
      `
Examples:
  linnet plugins                                      list them
  linnet plugins off link.passwordProtection          takes effect at the next start
  linnet plugins release link.passwordProtection      open what it guards while it is off
  linnet plugins purge link.passwordProtection        say what purging would drop`,
    )
    .action(() => list(setting))

  plugins
    .command('on <feature>')
    .description('Switch a plugin on, from the next start.')
    .action((feature: string) => toggle(setting, known(feature), true))
  plugins
    .command('off <feature>')
    .description('Switch a plugin off, from the next start. Its data stays.')
    .action((feature: string) => toggle(setting, known(feature), false))
  plugins
    .command('release <feature>')
    .description('Open the links that a plugin guards and that stay shut while it is off.')
    .action((feature: string) => release(setting, feature))
  plugins
    .command('purge <feature>')
    .description('Say what a plugin left in the database, and with --yes drop it for good.')
    .option('--yes', 'really drop it')
    .action((feature: string, { yes = false }: { yes?: boolean }) => purge(setting, feature, yes))
}

async function list(setting: Setting): Promise<void> {
  const on = await withDataFolder(setting, async folder => featuresOn(setting, folder))
  const { plugins } = await loadPlugins(setting.registry, Object.keys(setting.registry))
  const width = Math.max(...plugins.map(({ feature }) => feature.length))
  for (const { feature, about } of plugins) {
    const state = on.includes(feature) ? 'on ' : 'off'
    process.stdout.write(`${state}  ${feature.padEnd(width)}  ${about}\n`)
  }
}

async function toggle(setting: Setting, feature: string, on: boolean): Promise<void> {
  await withDataFolder(setting, ({ settings }) =>
    settings.update(stored => {
      const others = (stored.plugins?.off ?? []).filter(it => it !== feature)
      return { ...stored, plugins: { ...stored.plugins, off: on ? others : [...others, feature] } }
    }),
  )
  process.stdout.write(`${feature} is ${on ? 'on' : 'off'} from the next start.\n`)
}

async function release(setting: Setting, feature: string): Promise<void> {
  const released = await withDataFolder(setting, ({ storage }) => releaseGuard(storage.db, feature))
  process.stdout.write(`${counted(released, 'link')} released from ${feature}.\n`)
}

async function purge(setting: Setting, feature: string, really: boolean): Promise<void> {
  if (!really) {
    const remains = await withDataFolder(setting, it => findRemains(it.storage.db, feature))
    process.stdout.write(`Purging ${feature} would drop ${describe(remains)}.\n`)
    process.stdout.write('There is no way back. To do it, stop the server and add --yes.\n')
    return
  }
  const remains = await withLock(setting, () =>
    withDataFolder(setting, it => purgePlugin(it.storage.db, feature)),
  )
  process.stdout.write(`${feature} is purged: ${describe(remains)}.\n`)
}

function describe({ tables, links }: Remains): string {
  const named = tables.length === 0 ? '' : ` (${tables.join(', ')})`
  return `${counted(tables.length, 'table')}${named} and its fields on ${counted(links, 'link')}`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function checkFeature(feature: string, { registry }: Setting): string {
  const known = Object.keys(registry)
  if (known.includes(feature)) return feature
  const meant = nearestName(feature, known)
  throw new UserError(
    `There is no plugin ${feature}${meant ? `: did you mean ${meant}?` : '; see linnet plugins.'}`,
  )
}
