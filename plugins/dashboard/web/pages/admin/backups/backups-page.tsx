import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { backupsKey, backupsQuery, makeBackup } from '../../../api/admin/backups.ts'
import { IconDatabase } from '../../../shared/icons/icons.ts'
import { AddButton } from '../../../shared/lists/add-button.tsx'
import { Rows } from '../../../shared/lists/rows.tsx'
import { Empty } from '../../../shared/notices/empty.tsx'
import { notifyDone } from '../../../shared/notices/notify.ts'
import { Page } from '../../../shared/page/page.tsx'
import { adminTexts } from '../../../texts/admin.ts'
import { formatBytes } from '../format-bytes.ts'
import { BackupList } from './backup-list.tsx'

const words = adminTexts.backups

/** The page of database backups: create, download and delete them. */
export function BackupsPage() {
  const { data: backups, error } = useQuery(backupsQuery)
  const { make, isMaking } = useMake()
  if (error && !backups) throw error
  const isEmpty = backups?.length === 0
  const button = <AddButton label={words.create} loading={isMaking} onClick={make} />
  return (
    <Page title={adminTexts.pages.backups} lead={words.lead} actions={!isEmpty && button}>
      {!backups ? (
        <Rows />
      ) : isEmpty ? (
        <Empty
          icon={<IconDatabase size={40} stroke={1.5} />}
          heading={words.emptyHeading}
          lead={words.emptyLead}
        >
          {button}
        </Empty>
      ) : (
        <BackupList backups={backups} />
      )}
    </Page>
  )
}

function useMake() {
  const queryClient = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: makeBackup,
    async onSuccess(backup) {
      notifyDone(backup ? words.made(formatBytes(backup.bytes)) : words.goesOn)
      await queryClient.invalidateQueries({ queryKey: backupsKey })
    },
  })
  return { make: () => mutate(), isMaking: isPending }
}
