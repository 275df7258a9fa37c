import { useInfiniteQuery } from '@tanstack/react-query'
import { allTagsQuery, type Tag } from '../../api/links/tags.ts'
import { useDialog } from '../../shared/dialogs/use-dialog.ts'
import { freshColor } from '../../shared/forms/color-field.tsx'
import { IconTag } from '../../shared/icons/icons.ts'
import { ListPage } from '../../shared/lists/list-page.tsx'
import { useAllowance } from '../../shared/page/use-allowance.ts'
import { texts } from '../../texts.ts'
import { TagDialog } from './tag-dialog.tsx'
import { TagRow } from './tag-row.tsx'

/** All tags of the account: create, rename, recolour and delete them. */
export function TagsPage() {
  const tags = useInfiniteQuery(allTagsQuery)
  const { canMake, canChange, reason, used } = useAllowance('tags')
  const dialog = useDialog<Tag>()
  return (
    <ListPage
      of={tags}
      words={texts.tags}
      icon={IconTag}
      reason={reason}
      used={used}
      canAdd={canMake}
      onAdd={() => dialog.open()}
      row={tag => (
        <TagRow key={tag.id} tag={tag} onEdit={canChange ? () => dialog.open(tag) : undefined} />
      )}
    >
      <TagDialog
        tag={dialog.subject}
        color={freshColor(tags.data?.items.map(({ color }) => color) ?? [])}
        isOpen={dialog.isOpen}
        onClose={dialog.close}
      />
    </ListPage>
  )
}
