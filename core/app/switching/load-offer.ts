import { type LoadedPlugins, loadPlugins } from '../../kernel/load/load-plugins.ts'
import { featuresOn } from '../../kernel/load/plugin-choice.ts'
import type { Offer } from '../../kernel/run/offer.ts'
import { nothingOutside } from '../../outside/load-outside.ts'
import type { RunTimeSettings } from '../../settings/settings.ts'

/** Import what is on of what there is. */
export async function loadOffer(
  { registry, outside = nothingOutside, choice }: Offer,
  said: NonNullable<RunTimeSettings['plugins']>,
): Promise<LoadedPlugins> {
  const on = featuresOn(choice, said)
  // While a plugin cannot be read, nobody knows what it brings.
  const missing = on.filter(it => outside.broken.length > 0 && !Object.hasOwn(registry, it))
  const loaded = await loadPlugins(
    registry,
    on.filter(feature => !missing.includes(feature)),
    outside.plugins.map(({ plugin }) => plugin.feature),
  )
  return {
    ...loaded,
    leftOut: {
      ...Object.fromEntries(outside.broken.map(({ name, problem }) => [name, problem])),
      ...Object.fromEntries(
        missing.map(feature => [feature, 'no plugin that can be read brings it']),
      ),
      ...loaded.leftOut,
    },
  }
}
