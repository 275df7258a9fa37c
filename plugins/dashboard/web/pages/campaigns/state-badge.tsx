import { Mark } from '../../shared/icons/mark.tsx'
import { campaignsTexts } from '../../texts/campaigns.ts'
import type { CampaignState } from './campaign-span.ts'

const colors: Readonly<Record<CampaignState, string>> = {
  upcoming: 'blue',
  running: 'teal',
  ended: 'gray',
}

/** Whether a campaign is running, as a badge; nothing for a campaign without dates. */
export function StateBadge({ state }: { readonly state: CampaignState | undefined }) {
  if (!state) return null
  return <Mark color={colors[state]}>{campaignsTexts.states[state]}</Mark>
}
