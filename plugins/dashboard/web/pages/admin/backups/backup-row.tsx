import { ActionIcon, Group, Tooltip } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Backup, backupAddress, backupsKey, deleteBackup } from '../../../api/admin-backups.ts'
import { confirm } from '../../../shared/confirm.ts'
import { formatAgo, formatMoment } from '../../../shared/format.ts'
import { IconDownload, IconTrash } from '../../../shared/icons.ts'
import { notifyDone } from '../../../shared/notify.ts'
import things from '../../../shared/things.module.css'
import { texts } from '../../../texts.ts'
import { formatBytes } from '../format-bytes.ts'
import { Mark } from '../mark.tsx'
import classes from './backup-row.module.css'

const words = texts.admin.backups
const quiet = { variant: 'subtle', color: 'gray', c: 'dimmed', size: 'lg' } as const

/** A copy of the database: when and why it was made, to download and to delete. */
export function BackupRow({ backup }: { readonly backup: Backup }) {
  const { name, kind, bytes, createdAt } = backup
  const remove = useRemove(backup)
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
        <Tooltip label={words.download}>
          <ActionIcon
            {...quiet}
            component="a"
            href={backupAddress(name)}
            download={name}
            aria-label={words.downloadOf(when)}
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

function useRemove({ name, createdAt }: Backup): () => void {
  const queryClient = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: () => deleteBackup(name),
    onSuccess: () => notifyDone(words.deleted),
    onSettled: () => queryClient.invalidateQueries({ queryKey: backupsKey }),
  })
  return () =>
    confirm({
      title: words.deleteHeading,
      text: words.deleteWarning(formatMoment(createdAt)),
      onConfirm: mutate,
    })
}
