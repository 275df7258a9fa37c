import type { TablerIcon } from '@tabler/icons-react'
import {
  IconChartLine,
  IconKey,
  IconLink,
  IconPuzzle,
  IconSettings,
  IconShieldCog,
  IconSpeakerphone,
  IconTag,
  IconWorld,
} from '../../shared/icons/icons.ts'
import { texts } from '../../texts.ts'

/** An entry of the navigation. */
export interface Place {
  readonly to:
    | '/links'
    | '/analytics'
    | '/tags'
    | '/campaigns'
    | '/domains'
    | '/tokens'
    | '/settings'
    | '/admin'
  readonly label: string
  readonly icon: TablerIcon
  /** The plugin that it needs; hidden if that is not installed. */
  readonly feature?: string
  readonly adminsOnly?: true
}

/** The icons that pages of plugins may have: those that are there anyway. */
export const pageIcons = {
  chart: IconChartLine,
  gear: IconSettings,
  globe: IconWorld,
  key: IconKey,
  link: IconLink,
  megaphone: IconSpeakerphone,
  puzzle: IconPuzzle,
} as const satisfies Readonly<Record<string, TablerIcon>>

export const navigation: readonly Place[] = [
  { to: '/links', label: texts.shell.links, icon: IconLink },
  { to: '/analytics', label: texts.shell.analytics, icon: IconChartLine },
  { to: '/tags', label: texts.shell.tags, icon: IconTag, feature: 'organization.tags' },
  {
    to: '/campaigns',
    label: texts.shell.campaigns,
    icon: IconSpeakerphone,
    feature: 'organization.campaigns',
  },
  {
    to: '/domains',
    label: texts.shell.domains,
    icon: IconWorld,
    feature: 'organization.customDomains',
  },
  { to: '/tokens', label: texts.shell.tokens, icon: IconKey, feature: 'developer.apiKeys' },
  { to: '/settings', label: texts.shell.settings, icon: IconSettings },
  { to: '/admin', label: texts.shell.admin, icon: IconShieldCog, adminsOnly: true },
]
