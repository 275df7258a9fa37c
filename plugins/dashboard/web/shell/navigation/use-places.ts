import type { TablerIcon } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { profileQuery } from '../../api/account/profile.ts'
import { manifestQuery, type SiteInMenu } from '../../api/instance/manifest.ts'
import { navigation, type Place, pageIcons } from './navigation.ts'

/** The pages that this account has. */
export function usePlaces(): readonly Place[] {
  const { data: plugins } = useSuspenseQuery(manifestQuery)
  const { data: profile } = useSuspenseQuery(profileQuery)
  const installed = new Set(plugins.map(({ feature }) => feature))
  return navigation.filter(
    ({ feature, adminsOnly }) =>
      (feature === undefined || installed.has(feature)) && (!adminsOnly || profile.isAdmin),
  )
}

/** The pages that plugins declare. */
export function usePanelPages(): readonly PanelPageInMenu[] {
  const { data: plugins } = useSuspenseQuery(manifestQuery)
  return plugins.flatMap(({ feature, dashboard: { page } }) =>
    page
      ? [
          {
            to: `/plugins/${feature.replace('.', '/')}`,
            label: page.label,
            icon: pageIcons[page.icon],
          },
        ]
      : [],
  )
}

interface PanelPageInMenu {
  readonly to: string
  readonly label: string
  readonly icon: TablerIcon
}

/** `/link-in-bio/` without its slashes. */
export const siteName = (path: string): string => path.replaceAll('/', '')

/** The pages that plugins bring; each is a document of its own. */
export function useSites(): readonly SiteInMenu[] {
  const { data: plugins } = useSuspenseQuery(manifestQuery)
  return plugins.flatMap(({ enabled, site }) => (enabled && site ? [site] : []))
}
