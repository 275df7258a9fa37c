import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { healthQuery } from '../../../api/admin-health.ts'
import { instanceQuery } from '../../../api/admin-instance.ts'
import { Page } from '../../../shared/page.tsx'
import { Rows } from '../../../shared/rows.tsx'
import things from '../../../shared/things.module.css'
import { adminTexts } from '../../../texts/admin.ts'
import { Facts } from '../facts.tsx'
import { Panel } from '../panel.tsx'
import { CheckRow } from './check-row.tsx'
import { Overall } from './overall.tsx'

const words = adminTexts.health

/** How this instance is. */
export function HealthPage() {
  const { data: health, error } = useQuery(healthQuery)
  // Told by the API, which may be what does not work: then all the rest still shows.
  const { data: instance } = useQuery(instanceQuery)
  if (error && !health) throw error
  return (
    <Page title={adminTexts.pages.health} lead={words.lead}>
      {!health ? (
        <Rows />
      ) : (
        <Stack>
          <Overall status={health.status} />
          <ul className={things.list}>
            {Object.entries(health.checks).map(([name, check]) => (
              <CheckRow key={name} name={name} {...check} />
            ))}
          </ul>
          <Panel heading={words.instance}>
            <Facts
              facts={[
                [words.version, instance?.version],
                [words.address, `${window.location.origin}/health/ready`],
              ]}
            />
          </Panel>
        </Stack>
      )}
    </Page>
  )
}
