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

/** The pages for admins, the most used first. */
export const adminPages = [
  { to: '/admin/accounts', label: labels.accounts, icon: IconUsers },
  { to: '/admin/plans', label: labels.plans, icon: IconStack2 },
  { to: '/admin/features', label: labels.features, icon: IconToggleRight },
  { to: '/admin/brand', label: labels.brand, icon: IconPalette },
  { to: '/admin/plugins', label: labels.plugins, icon: IconPuzzle },
  { to: '/admin/jobs', label: labels.jobs, icon: IconClock },
  { to: '/admin/backups', label: labels.backups, icon: IconDatabase },
  { to: '/admin/blocked-links', label: labels.blockedLinks, icon: IconShieldX },
  { to: '/admin/health', label: labels.health, icon: IconHeartbeat },
] as const satisfies readonly { to: string; label: string; icon: TablerIcon }[]
