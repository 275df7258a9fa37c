import type { PluginState } from '../../../api/admin/plugins.ts'
import { formatNumber } from '../../../shared/text/format.ts'
import { adminTexts } from '../../../texts/admin.ts'
import { texts } from '../../../texts.ts'
import { Facts } from '../facts.tsx'

const words = adminTexts.plugins

/** Further details of a plugin. */
export function PluginFacts({ plugin }: { readonly plugin: PluginState }) {
  const { feature, needs, guardedLinks, tables } = plugin
  const none = texts.common.none
  return (
    <Facts
      facts={[
        [words.key, <code key="key">{feature}</code>],
        [words.guarding, guardedLinks === 0 ? none : formatNumber(guardedLinks)],
        [words.needs, needs.length === 0 ? none : <code key="needs">{needs.join(', ')}</code>],
        [words.tables, tables.length === 0 ? none : <code key="tables">{tables.join(', ')}</code>],
      ]}
    />
  )
}
