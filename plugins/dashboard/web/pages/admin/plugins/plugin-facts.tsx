import { Code } from '@mantine/core'
import type { PluginState } from '../../../api/admin-plugins.ts'
import { formatNumber } from '../../../shared/format.ts'
import { texts } from '../../../texts.ts'
import { Facts } from '../facts.tsx'
import { featureName } from '../feature-name.ts'

const words = texts.admin.plugins

/** What else there is to know of a plugin. */
export function PluginFacts({ plugin }: { readonly plugin: PluginState }) {
  const { feature, needs, guardedLinks, tables } = plugin
  const none = texts.common.none
  return (
    <Facts
      facts={[
        [words.key, <Code key="key">{feature}</Code>],
        [words.guarding, guardedLinks === 0 ? none : formatNumber(guardedLinks)],
        [words.needs, needs.map(featureName).join(', ') || none],
        [words.tables, tables.join(', ') || none],
      ]}
    />
  )
}
