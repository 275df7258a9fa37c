import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type PluginState, pluginStatesQuery } from '../../../api/admin/plugins.ts'
import { Rows } from '../../../shared/lists/rows.tsx'
import { BackLink } from '../../../shared/page/back-link.tsx'
import { Page } from '../../../shared/page/page.tsx'
import { adminTexts } from '../../../texts/admin.ts'
import { Nothing } from '../nothing.tsx'
import { Panel } from '../panel.tsx'
import { FixedNotice } from './notice.tsx'
import { PluginBadges } from './plugin-badges.tsx'
import { PluginFacts } from './plugin-facts.tsx'
import { PluginHealth } from './plugin-health.tsx'
import { PluginSwitch } from './plugin-switch.tsx'
import { PluginSettings } from './settings/plugin-settings.tsx'

const route = getRouteApi('/inside/admin/plugins/$group/$name')

/** One plugin: whether it is on, its health, and its settings. */
export function PluginPage() {
  const { group, name } = route.useParams()
  const feature = `${group}.${name}`
  const { data: plugins, error } = useQuery(pluginStatesQuery)
  if (error && !plugins) throw error
  const plugin = plugins?.find(it => it.feature === feature)
  return (
    <>
      <BackLink to="/admin/plugins" label={adminTexts.back.plugins} />
      {plugins && !plugin ? (
        <Nothing />
      ) : (
        <Page
          title={plugin?.label ?? adminTexts.pages.plugins}
          lead={plugin && (plugin.about ?? adminTexts.plugins.broken)}
          actions={plugin && <PluginBadges plugin={plugin} />}
        >
          {plugin ? <OnePlugin key={feature} plugin={plugin} /> : <Rows />}
        </Page>
      )}
    </>
  )
}

function OnePlugin({ plugin }: { readonly plugin: PluginState }) {
  const { decidedBy, settings } = plugin
  return (
    <Stack>
      {decidedBy === 'environment' && <FixedNotice />}
      <PluginSwitch plugin={plugin} />
      <Panel heading={adminTexts.plugins.health}>
        <PluginHealth plugin={plugin} />
      </Panel>
      {settings.length > 0 && <PluginSettings plugin={plugin} />}
      <Panel heading={adminTexts.plugins.facts}>
        <PluginFacts plugin={plugin} />
      </Panel>
    </Stack>
  )
}
