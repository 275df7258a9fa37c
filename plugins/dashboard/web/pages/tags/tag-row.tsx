import { Anchor } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { linksKey } from '../../api/links.ts'
import { profileKey } from '../../api/profile.ts'
import { deleteTag, type Tag, tagsKey } from '../../api/tags.ts'
import { confirm } from '../../shared/confirm.ts'
import { Dot } from '../../shared/dot.tsx'
import { formatNumber } from '../../shared/format.ts'
import { notifyDone } from '../../shared/notify.ts'
import classes from '../../shared/things.module.css'
import { texts } from '../../texts.ts'
import { TagMenu } from './tag-menu.tsx'

export interface TagRowProps {
  readonly tag: Tag
  /** Missing where tags cannot be changed. */
  readonly onEdit?: (tag: Tag) => void
}

/** A tag with its colour, and the way to its links. */
export function TagRow({ tag, onEdit }: TagRowProps) {
  const { id, name, color, linksCount } = tag
  const remove = useRemove(tag)
  const count = formatNumber(linksCount)
  return (
    <li>
      <Dot color={color} />
      <div className={classes.what}>
        <div className={classes.name}>
          <Anchor renderRoot={props => <Link {...props} to="/links" search={{ tag: id }} />}>
            {name}
          </Anchor>
        </div>
      </div>
      <span className={classes.numbers}>{texts.tags.links(linksCount, count)}</span>
      <TagMenu
        tag={tag}
        {...(onEdit && { onEdit: () => onEdit(tag) })}
        onDelete={() =>
          confirm({
            title: texts.tags.deleteHeading(name),
            text: texts.tags.deleteWarning(linksCount, count),
            onConfirm: remove,
          })
        }
      />
    </li>
  )
}

function useRemove({ id, name }: Tag): () => void {
  const queryClient = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: () => deleteTag(id),
    async onSuccess() {
      notifyDone(texts.tags.deleted(name))
      await Promise.all(
        [tagsKey, linksKey, profileKey].map(queryKey =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      )
    },
  })
  return mutate
}
