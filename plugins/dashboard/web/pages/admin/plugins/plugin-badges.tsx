import type { PluginState } from '../../../api/admin/plugins.ts'
import { Mark } from '../../../shared/icons/mark.tsx'
import { statusOf } from './plugin-status.ts'

export interface PluginBadgesProps {
  readonly plugin: PluginState
  /** Shows nothing for a plugin that runs well, as most do. */
  readonly isShort?: boolean
}

/** The status of a plugin. */
export function PluginBadges({ plugin, isShort = false }: PluginBadgesProps) {
  const { label, color } = statusOf(plugin)
  return isShort && color === 'teal' ? null : <Mark color={color}>{label}</Mark>
}
