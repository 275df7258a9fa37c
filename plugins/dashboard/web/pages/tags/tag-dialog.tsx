import { createTag, readTag, type Tag, tagsKey, updateTag } from '../../api/tags.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { notifyDone } from '../../shared/notify.ts'
import { useVersion } from '../../shared/use-version.ts'
import { Versioned } from '../../shared/versioned.tsx'
import { texts } from '../../texts.ts'
import { TagForm } from './tag-form.tsx'

export interface TagDialogProps {
  /** What is edited; undefined for a new one. */
  readonly tag: Tag | undefined
  /** Of a new one, until another is chosen. */
  readonly color: string
  readonly isOpen: boolean
  onClose(): void
}

/** Make a tag, or change one. */
export function TagDialog({ tag, color, isOpen, onClose }: TagDialogProps) {
  return (
    <Dialog opened={isOpen} onClose={onClose} title={tag ? texts.tags.edit : texts.tags.create}>
      {tag ? <EditTag id={tag.id} onDone={onClose} /> : <AddTag color={color} onDone={onClose} />}
    </Dialog>
  )
}

function AddTag({ color, onDone }: { readonly color: string; onDone(): void }) {
  return (
    <TagForm
      values={{ name: '', color }}
      submitLabel={texts.tags.submit}
      send={createTag}
      onDone={({ name }) => {
        notifyDone(texts.tags.made(name))
        onDone()
      }}
    />
  )
}

function EditTag({ id, onDone }: { readonly id: string; onDone(): void }) {
  const current = useVersion([...tagsKey, id], () => readTag(id))
  return (
    <Versioned of={current} height={200}>
      {tag => (
        <TagForm
          values={tag}
          submitLabel={texts.common.save}
          send={body => current.save(etag => updateTag(id, body, etag))}
          onDone={onDone}
        />
      )}
    </Versioned>
  )
}
