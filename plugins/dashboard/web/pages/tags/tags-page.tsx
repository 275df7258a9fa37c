import { Button, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { allTagsQuery, type Tag } from '../../api/tags.ts'
import { freshColor } from '../../shared/color-field.tsx'
import { Empty } from '../../shared/empty.tsx'
import { IconPlus, IconTag } from '../../shared/icons.ts'
import { MoreButton } from '../../shared/more-button.tsx'
import { Note } from '../../shared/note.tsx'
import { Page } from '../../shared/page.tsx'
import { Rows } from '../../shared/rows.tsx'
import classes from '../../shared/things.module.css'
import { TryAgain } from '../../shared/try-again.tsx'
import { useAllowance } from '../../shared/use-allowance.ts'
import { useDialog } from '../../shared/use-dialog.ts'
import { texts } from '../../texts.ts'
import { TagDialog } from './tag-dialog.tsx'
import { TagRow } from './tag-row.tsx'

/** Every tag of the account: to make, rename, recolour and delete. */
export function TagsPage() {
  const { data, error, refetch, ...paging } = useInfiniteQuery(allTagsQuery)
  const { canMake, canChange, reason, used } = useAllowance('tags')
  const dialog = useDialog<Tag>()
  const isEmpty = data?.total === 0
  const add = (
    <Button leftSection={<IconPlus size={18} />} disabled={!canMake} onClick={() => dialog.open()}>
      {texts.tags.create}
    </Button>
  )

  return (
    <Page title={texts.tags.title} lead={used ?? texts.tags.lead} actions={!isEmpty && add}>
      <Note text={reason} />
      {!data ? (
        error ? (
          <TryAgain error={error} onRetry={refetch} />
        ) : (
          <Rows />
        )
      ) : isEmpty ? (
        <Empty
          icon={<IconTag size={40} stroke={1.5} />}
          heading={texts.tags.emptyHeading}
          lead={texts.tags.emptyLead}
        >
          {add}
        </Empty>
      ) : (
        <>
          <VisuallyHidden component="h2">{texts.tags.list}</VisuallyHidden>
          <ul className={classes.list}>
            {data.items.map(tag => (
              <TagRow key={tag.id} tag={tag} {...(canChange && { onEdit: dialog.open })} />
            ))}
          </ul>
          <MoreButton {...paging} />
        </>
      )}
      <TagDialog
        tag={dialog.subject}
        color={freshColor(data?.items.map(({ color }) => color) ?? [])}
        isOpen={dialog.isOpen}
        onClose={dialog.close}
      />
    </Page>
  )
}
