import { Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { healthQuery } from '../../../api/admin/health.ts'
import { doctorQuery, instanceQuery } from '../../../api/admin/instance.ts'
import { Rows } from '../../../shared/lists/rows.tsx'
import things from '../../../shared/lists/things.module.css'
import { Page } from '../../../shared/page/page.tsx'
import { formatMoment } from '../../../shared/text/format.ts'
import { adminTexts } from '../../../texts/admin.ts'
import { Facts } from '../facts.tsx'
import { formatBytes } from '../format-bytes.ts'
import { Panel } from '../panel.tsx'
import { CheckRow } from './check-row.tsx'
import { FindingRow } from './finding-row.tsx'
import { Overall } from './overall.tsx'

const words = adminTexts.health

/** The health of this instance. */
export function HealthPage() {
  const { data: health, error } = useQuery(healthQuery)
  // This comes from the API, which may be the part that does not work; the rest still shows then.
  const { data: instance } = useQuery(instanceQuery)
  const { data: findings } = useQuery(doctorQuery)
  if (error && !health) throw error
  return (
    <Page title={adminTexts.pages.health} lead={words.lead}>
      {!health ? (
        <Rows />
      ) : (
        <Stack>
          <Overall status={health.status} findings={findings} />
          <ul className={things.list}>
            {Object.entries(health.checks).map(([name, check]) => (
              <CheckRow key={name} name={name} {...check} />
            ))}
          </ul>
          {findings && (
            <>
              <Title order={2} size="h4">
                {words.around}
              </Title>
              <ul className={things.list}>
                {findings.map(finding => (
                  <FindingRow key={finding.name} {...finding} />
                ))}
              </ul>
            </>
          )}
          <Panel heading={words.instance}>
            <Facts
              facts={[
                [words.version, instance?.version],
                [words.node, instance?.nodeVersion],
                [words.startedAt, instance && formatMoment(instance.startedAt)],
                [words.memory, bytes(instance?.memoryBytes)],
                [words.database, bytes(instance?.databaseBytes)],
                [words.log, bytes(instance?.logBytes)],
                [words.free, bytes(instance?.freeBytes)],
                [words.address, `${window.location.origin}/health/ready`],
              ]}
            />
          </Panel>
        </Stack>
      )}
    </Page>
  )
}

/** Undefined if it is not known. */
function bytes(count: number | null | undefined): string | undefined {
  return count == null ? undefined : formatBytes(count)
}
