import type { PluginState } from '../../../api/admin-plugins.ts'
import { IconRefresh } from '../../../shared/icons.ts'
import { Mark } from '../../../shared/mark.tsx'
import { pendingOf, statusOf } from './plugin-status.ts'

export interface PluginBadgesProps {
  readonly plugin: PluginState
  /** Nothing is said of what runs well, as most do. */
  readonly isShort?: boolean
}

/** How a plugin is, and what a restart would change. */
export function PluginBadges({ plugin, isShort = false }: PluginBadgesProps) {
  const { label, color } = statusOf(plugin)
  const pending = pendingOf(plugin)
  return (
    <>
      {!(isShort && color === 'teal') && <Mark color={color}>{label}</Mark>}
      {pending && (
        <Mark color="yellow" leftSection={<IconRefresh size={12} aria-hidden="true" />}>
          {pending}
        </Mark>
      )}
    </>
  )
}
