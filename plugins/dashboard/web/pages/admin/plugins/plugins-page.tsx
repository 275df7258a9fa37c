import { Button, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type PluginState, pluginStatesQuery } from '../../../api/admin/plugins.ts'
import { IconPackage } from '../../../shared/icons/icons.ts'
import { Rows } from '../../../shared/lists/rows.tsx'
import things from '../../../shared/lists/things.module.css'
import { Page } from '../../../shared/page/page.tsx'
import { adminTexts } from '../../../texts/admin.ts'
import { byGroup } from '../by-group.ts'
import { FixedNotice } from './notice.tsx'
import { PluginRow } from './plugin-row.tsx'
import classes from './plugins-page.module.css'

/** All available plugins: their status, and whether each is on. */
export function PluginsPage() {
  const { data: plugins, error } = useQuery(pluginStatesQuery)
  if (error && !plugins) throw error
  return (
    <Page
      title={adminTexts.pages.plugins}
      lead={adminTexts.plugins.lead}
      actions={<PackagesButton />}
    >
      {plugins ? <AllPlugins plugins={plugins} /> : <Rows />}
    </Page>
  )
}

function PackagesButton() {
  return (
    <Button
      variant="default"
      leftSection={<IconPackage size={18} />}
      renderRoot={props => <Link {...props} to="/admin/plugins/packages" />}
    >
      {adminTexts.packages.open}
    </Button>
  )
}

function AllPlugins({ plugins }: { readonly plugins: readonly PluginState[] }) {
  return (
    <Stack>
      {plugins.some(({ decidedBy }) => decidedBy === 'environment') && <FixedNotice />}
      {byGroup(plugins).map(([heading, members]) => (
        <section key={heading}>
          <Title order={2} size="h5" className={classes.heading}>
            {heading}
          </Title>
          <ul className={things.list}>
            {members.map(plugin => (
              <PluginRow key={plugin.feature} plugin={plugin} />
            ))}
          </ul>
        </section>
      ))}
    </Stack>
  )
}
