import { Badge, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { limitOf, profileQuery, usageOf } from '../../api/account/profile.ts'
import { manifestQuery } from '../../api/instance/manifest.ts'
import { locale } from '../../language/language.ts'
import { Rows } from '../../shared/lists/rows.tsx'
import { settingsTexts } from '../../texts/settings.ts'
import { Included } from './included.tsx'
import { Section } from './section.tsx'
import { UsageBar } from './usage-bar.tsx'

/** The plan's limits, the usage, and the included features. */
export function PlanSection() {
  // A link created a moment ago must be counted already.
  const { data: profile } = useQuery({ ...profileQuery, refetchOnMount: 'always' })
  const { data: plugins = [] } = useQuery(manifestQuery)
  const limits = plugins.flatMap(plugin => plugin.limits)
  return (
    <Section heading={settingsTexts.plan} lead={settingsTexts.planLead(nextMonth())}>
      {profile ? (
        <Stack gap="lg">
          <Group gap="xs">
            <Text fw={600} fz="lg">
              {profile.plan.extensions.name}
            </Text>
            {profile.isAdmin && (
              <Badge variant="light" tt="none">
                {settingsTexts.isAdmin}
              </Badge>
            )}
          </Group>
          <UsageBar
            label={settingsTexts.usage.links}
            usedUp={settingsTexts.usedUp.links}
            used={profile.plan.usage.linksCreatedThisMonth}
            max={profile.plan.limits.maxLinksCreatedPerMonth}
          />
          <UsageBar
            label={settingsTexts.usage.visits}
            usedUp={settingsTexts.usedUp.visits}
            used={profile.plan.usage.visitsTrackedThisMonth}
            max={profile.plan.limits.maxTrackedVisitsPerMonth}
          />
          {limits.map(({ name, label, used }) => (
            <UsageBar
              key={name}
              label={label}
              usedUp={settingsTexts.usedUp.things(label)}
              used={usageOf(profile, used)}
              max={limitOf(profile, name)}
            />
          ))}
          <Included />
        </Stack>
      ) : (
        <Rows />
      )}
    </Section>
  )
}

const dayOfMonth = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
})

/** The first day of the next month in UTC, in words. */
function nextMonth(now = new Date()): string {
  return dayOfMonth.format(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1))
}
