import { Stack, Text, VisuallyHidden } from '@mantine/core'
import type { Backup } from '../../../api/admin/backups.ts'
import { useDialog } from '../../../shared/dialogs/use-dialog.ts'
import things from '../../../shared/lists/things.module.css'
import { adminTexts } from '../../../texts/admin.ts'
import { BackupRow } from './backup-row.tsx'
import { RestoreDialog } from './restore-dialog.tsx'

const words = adminTexts.backups

/** The existing backups, and the actions for each. */
export function BackupList({ backups }: { readonly backups: readonly Backup[] }) {
  const restoring = useDialog<Backup>()
  return (
    <Stack>
      <VisuallyHidden component="h2">{words.list}</VisuallyHidden>
      <ul className={things.list}>
        {backups.map(backup => (
          <BackupRow key={backup.name} backup={backup} onRestore={() => restoring.open(backup)} />
        ))}
      </ul>
      <Text size="sm" c="dimmed">
        {words.care}
      </Text>
      <RestoreDialog
        backup={restoring.subject}
        isOpen={restoring.isOpen}
        onClose={restoring.close}
      />
    </Stack>
  )
}
