import { createTag, readTag, type Tag, tagsKey, updateTag } from '../../api/links/tags.ts'
import { EditDialog } from '../../shared/forms/edit-dialog.tsx'
import { notifyDone } from '../../shared/notices/notify.ts'
import { texts } from '../../texts.ts'
import { TagForm } from './tag-form.tsx'

export interface TagDialogProps {
  /** What is edited; undefined for a new one. */
  readonly tag: Tag | undefined
  /** The initial colour of a new tag. */
  readonly color: string
  readonly isOpen: boolean
  onClose(): void
}

/** Creates a tag, or changes one. */
export function TagDialog({ tag, color, isOpen, onClose }: TagDialogProps) {
  return (
    <EditDialog
      opened={isOpen}
      onClose={onClose}
      title={tag ? texts.tags.edit : texts.tags.create}
      subject={tag}
      kind={tagsKey}
      read={readTag}
      height={200}
      add={
        <TagForm
          values={{ name: '', color }}
          submitLabel={texts.tags.submit}
          send={createTag}
          onDone={({ name }) => {
            notifyDone(texts.tags.made(name))
            onClose()
          }}
        />
      }
    >
      {(current, save) => (
        <TagForm
          values={current}
          submitLabel={texts.common.save}
          send={body => save(etag => updateTag(current.id, body, etag))}
          onDone={onClose}
        />
      )}
    </EditDialog>
  )
}
