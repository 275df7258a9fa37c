import type { PluginState } from '../../../api/admin/plugins.ts'
import { adminTexts } from '../../../texts/admin.ts'

const words = adminTexts.plugins.states

/** A status label with its colour. */
export interface Status {
  readonly label: string
  readonly color: 'teal' | 'gray' | 'red' | 'yellow'
}

/** The current status of a plugin. */
export function statusOf({ enabled, problem, failures }: PluginState): Status {
  if (!enabled && problem) return { label: words.broken, color: 'red' }
  if (!enabled) return { label: words.off, color: 'gray' }
  if (problem) return { label: words.heldBack, color: 'red' }
  if (failures.some(({ isResting }) => isResting)) return { label: words.resting, color: 'red' }
  if (failures.length > 0) return { label: words.failing, color: 'yellow' }
  return { label: words.running, color: 'teal' }
}
