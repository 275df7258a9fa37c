import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type Annotation,
  annotate,
  annotationsKey,
  annotationsQuery,
  changeAnnotation,
  type DaySpan,
  deleteAnnotation,
  readAnnotation,
} from '../../../api/analytics/annotations.ts'
import { Dialog } from '../../../shared/dialogs/dialog.tsx'
import { useVersion } from '../../../shared/forms/use-version.ts'
import { Versioned } from '../../../shared/forms/versioned.tsx'
import { DeleteItem, EditItem, RowMenu } from '../../../shared/lists/row-menu.tsx'
import { Rows } from '../../../shared/lists/rows.tsx'
import { useDelete } from '../../../shared/lists/use-delete.ts'
import { TryAgain } from '../../../shared/notices/try-again.tsx'
import { analyticsTexts } from '../../../texts/analytics.ts'
import { texts } from '../../../texts.ts'
import { formatSpan } from '../words/format-span.ts'
import { AnnotationForm } from './annotation-form.tsx'
import classes from './annotations-dialog.module.css'

const words = analyticsTexts.annotations

export interface AnnotationsDialogProps {
  readonly days: DaySpan
  readonly isOpen: boolean
  onClose(): void
}

/** The annotations of a span of days: read, add, change and delete them. */
export function AnnotationsDialog({ days, isOpen, onClose }: AnnotationsDialogProps) {
  const [edited, setEdited] = useState<string>()
  const close = () => {
    setEdited(undefined)
    onClose()
  }
  const title = words.of(formatSpan(days.from, days.to, 'UTC'))
  return (
    <Dialog opened={isOpen} onClose={close} title={title}>
      {edited === undefined ? (
        <Stack>
          <List days={days} onEdit={setEdited} />
          <AnnotationForm
            values={{ day: days.to, text: '' }}
            submitLabel={words.add}
            send={annotate}
            onDone={close}
          />
        </Stack>
      ) : (
        <Edit id={edited} onDone={() => setEdited(undefined)} />
      )}
    </Dialog>
  )
}

function List({ days, onEdit }: { readonly days: DaySpan; onEdit(id: string): void }) {
  const { data, error, refetch } = useQuery(annotationsQuery(days))
  if (error && !data) return <TryAgain error={error} onRetry={refetch} />
  if (!data) return <Rows />
  if (data.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {words.none}
      </Text>
    )
  }
  return (
    <ul className={classes.list}>
      {data.map(annotation => (
        <Row key={annotation.id} annotation={annotation} onEdit={onEdit} />
      ))}
    </ul>
  )
}

function Row({
  annotation: { id, day, text },
  onEdit,
}: {
  readonly annotation: Annotation
  onEdit(id: string): void
}) {
  const remove = useDelete({
    title: words.deleteAsk,
    text,
    send: () => deleteAnnotation(id),
    done: words.deleted,
    changes: [annotationsKey],
  })
  return (
    <li>
      <div className={classes.what}>
        <Text size="xs" c="dimmed">
          {formatSpan(day, day, 'UTC')}
        </Text>
        <Text size="sm">{text}</Text>
      </div>
      <RowMenu label={words.actionsOf(text)}>
        <EditItem onClick={() => onEdit(id)} />
        <DeleteItem onClick={remove} />
      </RowMenu>
    </li>
  )
}

function Edit({ id, onDone }: { readonly id: string; onDone(): void }) {
  const current = useVersion([...annotationsKey, id], () => readAnnotation(id))
  return (
    <Versioned of={current} height={200}>
      {({ day, text }) => (
        <AnnotationForm
          values={{ day, text }}
          submitLabel={texts.common.save}
          send={body => current.save(etag => changeAnnotation(id, body, etag))}
          onDone={onDone}
          aside={
            <Button variant="subtle" color="gray" onClick={onDone}>
              {texts.common.cancel}
            </Button>
          }
        />
      )}
    </Versioned>
  )
}
