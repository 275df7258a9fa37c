import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { profileQuery } from '../../../api/account/profile.ts'
import { refreshMs } from '../../../api/analytics/analytics.ts'
import { IconAlertCircle } from '../../../shared/icons/icons.ts'
import { formatNumber } from '../../../shared/text/format.ts'
import { texts } from '../../../texts.ts'

/** Says that visits are no longer counted, so that nobody wonders why the numbers stand still. */
export function QuotaNotice() {
  const { data } = useQuery({ ...profileQuery, refetchInterval: refreshMs })
  if (!data) return null
  const { limits, usage } = data.plan
  const max = limits.maxTrackedVisitsPerMonth
  if (usage.visitsTrackedThisMonth < max) return null
  return (
    <Alert
      color="linnet"
      variant="light"
      mb="md"
      icon={<IconAlertCircle size={18} />}
      title={texts.analytics.quotaHeading}
    >
      {texts.analytics.quota(formatNumber(max))}
    </Alert>
  )
}
