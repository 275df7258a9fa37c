import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link as PageLink, useNavigate } from '@tanstack/react-router'
import { deleteLink } from '../../../api/links/link-form.ts'
import { type Link, linksKey } from '../../../api/links/links.ts'
import {
  IconArchive,
  IconArchiveOff,
  IconChartLine,
  IconTrash,
} from '../../../shared/icons/icons.ts'
import { useStillHere } from '../../../shared/page/use-still-here.ts'
import { texts } from '../../../texts.ts'
import { confirmDelete } from '../bulk/confirm-delete.ts'
import { useBulk } from '../bulk/use-bulk.ts'

export interface LinkActionsProps {
  readonly link: Link
  /** Called before leaving the page: unsaved changes do not matter any more. */
  onDelete(): void
}

/** The actions for a link as a whole. */
export function LinkActions({ link, onDelete }: LinkActionsProps) {
  const { id, archived } = link
  const { run, isPending } = useBulk()
  const remove = useDelete(link, onDelete)
  const Archive = archived ? IconArchiveOff : IconArchive
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconChartLine size={17} />}
        renderRoot={props => <PageLink {...props} to="/links/$id/analytics" params={{ id }} />}
      >
        {texts.editLink.analytics}
      </Button>
      <Button
        variant="default"
        leftSection={<Archive size={17} />}
        loading={isPending}
        onClick={() => run({ links: [link] }, ({ archive }) => archive(!archived))}
      >
        {archived ? texts.links.unarchive : texts.links.archive}
      </Button>
      <Button
        variant="default"
        leftSection={<IconTrash size={17} />}
        onClick={() => confirmDelete(1, remove)}
      >
        {texts.common.delete}
      </Button>
    </>
  )
}

function useDelete(link: Link, onDelete: () => void): () => void {
  const { id } = link
  const navigate = useNavigate()
  const isHere = useStillHere()
  const queryClient = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: () => deleteLink(id),
    async onSuccess() {
      onDelete()
      if (isHere()) await navigate({ to: '/links' })
      queryClient.removeQueries({ queryKey: [...linksKey, 'one', id] })
      const [{ remove }, { tell }] = await Promise.all([
        import('../bulk/changes.ts'),
        import('../bulk/run-change.tsx'),
      ])
      const done = { done: [link], failed: 0, reason: undefined }
      await tell(done, texts.links.deleted(1, '1'), remove, queryClient)
      await queryClient.invalidateQueries({ queryKey: linksKey })
    },
  })
  return mutate
}
