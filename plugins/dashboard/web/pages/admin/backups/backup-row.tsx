import { ActionIcon, Group, Tooltip } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import {
  type Backup,
  backupsKey,
  deleteBackup,
  downloadBackup,
} from '../../../api/admin/backups.ts'
import { IconDownload, IconRestore, IconTrash } from '../../../shared/icons/icons.ts'
import { Mark } from '../../../shared/icons/mark.tsx'
import things from '../../../shared/lists/things.module.css'
import { useDelete } from '../../../shared/lists/use-delete.ts'
import { formatAgo, formatMoment } from '../../../shared/text/format.ts'
import { adminTexts } from '../../../texts/admin.ts'
import { texts } from '../../../texts.ts'
import { formatBytes } from '../format-bytes.ts'
import classes from './backup-row.module.css'

const words = adminTexts.backups
const quiet = { variant: 'subtle', color: 'gray', c: 'dimmed', size: 'lg' } as const

export interface BackupRowProps {
  readonly backup: Backup
  onRestore(): void
}

/** A copy of the database: when and why it was made, with actions to restore, download and delete it. */
export function BackupRow({ backup, onRestore }: BackupRowProps) {
  const { name, kind, bytes, createdAt } = backup
  const remove = useDeleteBackup(backup)
  const { mutate: download, isPending } = useMutation({ mutationFn: downloadBackup })
  const when = formatMoment(createdAt)
  return (
    <li>
      <div className={things.what}>
        <div className={`${things.name} ${classes.name}`}>
          {when}
          <Mark color="gray">{words.kinds[kind]}</Mark>
        </div>
        <div className={`${things.about} ${classes.about}`}>
          <span>{formatBytes(bytes)}</span>
          <span>{formatAgo(createdAt)}</span>
          <span className={classes.file}>{name}</span>
        </div>
      </div>
      <Group gap={4} wrap="nowrap">
        <Tooltip label={words.restore}>
          <ActionIcon {...quiet} aria-label={words.restoreOf(when)} onClick={onRestore}>
            <IconRestore size={18} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label={words.download}>
          <ActionIcon
            {...quiet}
            aria-label={words.downloadOf(when)}
            loading={isPending}
            onClick={() => download(name)}
          >
            <IconDownload size={18} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label={texts.common.delete}>
          <ActionIcon {...quiet} aria-label={words.deleteOf(when)} onClick={remove}>
            <IconTrash size={18} />
          </ActionIcon>
        </Tooltip>
      </Group>
    </li>
  )
}

function useDeleteBackup({ name, createdAt }: Backup): () => void {
  return useDelete({
    title: words.deleteHeading,
    text: words.deleteWarning(formatMoment(createdAt)),
    send: () => deleteBackup(name),
    done: words.deleted,
    changes: [backupsKey],
  })
}
