import { Badge, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { profileQuery } from '../../api/profile.ts'
import { Rows } from '../../shared/rows.tsx'
import { settingsTexts } from '../../texts/settings.ts'
import { texts } from '../../texts.ts'
import { Included } from './included.tsx'
import { Section } from './section.tsx'
import { UsageBar } from './usage-bar.tsx'

/** What the plan allows, what is used of it, and what it includes. */
export function PlanSection() {
  // Links made a moment ago count already.
  const { data: profile } = useQuery({ ...profileQuery, refetchOnMount: 'always' })
  return (
    <Section heading={settingsTexts.plan} lead={settingsTexts.planLead(nextMonth())}>
      {profile ? (
        <Stack gap="lg">
          <Group gap="xs">
            <Text fw={600} fz="lg">
              {settingsTexts.planName(profile.plan.slug)}
            </Text>
            {profile.isAdmin && (
              <Badge variant="light" tt="none">
                {texts.shell.admin}
              </Badge>
            )}
          </Group>
          <UsageBar
            of="links"
            used={profile.plan.usage.linksCreatedThisMonth}
            max={profile.plan.limits.maxLinksCreatedPerMonth}
          />
          <UsageBar
            of="visits"
            used={profile.plan.usage.visitsTrackedThisMonth}
            max={profile.plan.limits.maxTrackedVisitsPerMonth}
          />
          <UsageBar
            of="tags"
            used={profile.plan.usage.tagsCount}
            max={profile.plan.organization.maxTags}
          />
          <UsageBar
            of="campaigns"
            used={profile.plan.usage.campaignsCount}
            max={profile.plan.organization.maxCampaigns}
          />
          <Included />
        </Stack>
      ) : (
        <Rows />
      )}
    </Section>
  )
}

const dayOfMonth = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
})

/** The first day of the next month of UTC, in words. */
function nextMonth(now = new Date()): string {
  return dayOfMonth.format(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1))
}
