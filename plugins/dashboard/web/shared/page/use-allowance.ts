import { useSuspenseQuery } from '@tanstack/react-query'
import { type Profile, profileQuery, unlimited } from '../../api/account/profile.ts'
import { useFeature } from '../../api/instance/manifest.ts'
import { texts } from '../../texts.ts'
import { formatNumber } from '../text/format.ts'

/** What the account's plan allows for things of one kind. */
export interface Allowance {
  /** Whether existing ones can be changed. */
  readonly canChange: boolean
  /** Whether another one can be created. */
  readonly canMake: boolean
  /** Why not, if one of them is false. */
  readonly reason?: string
  /** The usage of the limit, if the plan has one. */
  readonly used?: string
}

const kinds = {
  tags: {
    feature: 'organization.tags',
    isOn: ({ features }: Profile) => features.tagCreationEnabled,
    used: ({ plan }: Profile) => plan.usage.tagsCount,
    max: ({ plan }: Profile) => plan.organization.maxTags,
  },
  campaigns: {
    feature: 'organization.campaigns',
    isOn: ({ features }: Profile) => features.campaignCreationEnabled,
    used: ({ plan }: Profile) => plan.usage.campaignsCount,
    max: ({ plan }: Profile) => plan.organization.maxCampaigns,
  },
} as const

/** Whether more can be created, so that a page can say so before somebody tries. */
export function useAllowance(kind: keyof typeof kinds): Allowance {
  const { data: profile } = useSuspenseQuery(profileQuery)
  const { feature, isOn, used, max } = kinds[kind]
  const isEnabled = useFeature(feature) === 'on'
  const none = { canChange: false, canMake: false }
  if (!isOn(profile)) return { ...none, reason: texts.allowance.switchedOff }
  if (!isEnabled) return { ...none, reason: texts.allowance.barred }
  const most = max(profile)
  if (most >= unlimited) return { canChange: true, canMake: true }
  if (used(profile) < most) {
    const shown = texts.allowance.used(formatNumber(used(profile)), formatNumber(most))
    return { canChange: true, canMake: true, used: shown }
  }
  const reason = texts.allowance.reached(formatNumber(most))
  return { canChange: true, canMake: false, reason }
}
