import { Stack, Text, VisuallyHidden } from '@mantine/core'
import type { Backup } from '../../../api/admin-backups.ts'
import { CodeBlock } from '../../../shared/code-block.tsx'
import things from '../../../shared/things.module.css'
import { adminTexts } from '../../../texts/admin.ts'
import { Panel } from '../panel.tsx'
import { BackupRow } from './backup-row.tsx'

const words = adminTexts.backups

/** The copies that there are, and what to do with one. */
export function BackupList({ backups }: { readonly backups: readonly Backup[] }) {
  return (
    <Stack>
      <VisuallyHidden component="h2">{words.list}</VisuallyHidden>
      <ul className={things.list}>
        {backups.map(backup => (
          <BackupRow key={backup.name} backup={backup} />
        ))}
      </ul>
      <Panel heading={words.restoreHeading} lead={words.restore}>
        <CodeBlock
          code={`linnet restore ${backups[0]?.name ?? ''}`}
          copyLabel={words.copyCommand}
        />
        <Text size="sm" c="dimmed" mt="md">
          {words.care}
        </Text>
      </Panel>
    </Stack>
  )
}
