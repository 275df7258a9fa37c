import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { refreshMs } from '../../api/analytics.ts'
import { profileQuery } from '../../api/profile.ts'
import { formatNumber } from '../../shared/format.ts'
import { IconAlertCircle } from '../../shared/icons.ts'
import { texts } from '../../texts.ts'

/** Says that visits are not counted any more: whoever looks at numbers that stand still must know. */
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
