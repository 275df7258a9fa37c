import type { TablerIcon } from '@tabler/icons-react'
import {
  IconClock,
  IconDatabase,
  IconHeartbeat,
  IconPalette,
  IconPuzzle,
  IconShieldX,
  IconStack2,
  IconToggleRight,
  IconUsers,
} from '../../shared/icons/icons.ts'
import { adminTexts } from '../../texts/admin.ts'

const labels = adminTexts.pages

/** The pages for admins: those about people, about what there is and how it looks, and about the server. */
export const adminPages = [
  { group: 'people', to: '/admin/accounts', label: labels.accounts, icon: IconUsers },
  { group: 'people', to: '/admin/plans', label: labels.plans, icon: IconStack2 },
  { group: 'look', to: '/admin/brand', label: labels.brand, icon: IconPalette },
  { group: 'look', to: '/admin/plugins', label: labels.plugins, icon: IconPuzzle },
  { group: 'look', to: '/admin/features', label: labels.features, icon: IconToggleRight },
  { group: 'server', to: '/admin/health', label: labels.health, icon: IconHeartbeat },
  { group: 'server', to: '/admin/jobs', label: labels.jobs, icon: IconClock },
  { group: 'server', to: '/admin/backups', label: labels.backups, icon: IconDatabase },
  { group: 'server', to: '/admin/blocked-links', label: labels.blockedLinks, icon: IconShieldX },
] as const satisfies readonly { group: string; to: string; label: string; icon: TablerIcon }[]
