import type { ModalProps } from '@mantine/core'
import type { QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Version } from '../../api/client/version.ts'
import { Dialog } from '../dialogs/dialog.tsx'
import { useVersion } from './use-version.ts'
import { Versioned } from './versioned.tsx'

type Save = ReturnType<typeof useVersion>['save']

interface Edited<T> {
  /** The cache key of all things of its kind. */
  readonly kind: QueryKey
  read(id: string): Promise<Version<T>>
  /** The approximate height of the form, in pixels. */
  readonly height: number
  /** The form for an existing thing; `save` sends the version that was read. */
  children(current: T, save: Save): ReactNode
}

export interface EditDialogProps<T> extends Omit<ModalProps, 'children'>, Edited<T> {
  /** What is edited; undefined for a new one. */
  readonly subject: { readonly id: string } | undefined
  /** The form for a new one. */
  readonly add: ReactNode
}

/** Creates a thing, or changes the newest version of one. */
export function EditDialog<T>(props: EditDialogProps<T>) {
  const { subject, add, kind, read, height, children, ...dialog } = props
  return (
    <Dialog {...dialog}>
      {subject ? (
        <Edit id={subject.id} kind={kind} read={read} height={height}>
          {children}
        </Edit>
      ) : (
        add
      )}
    </Dialog>
  )
}

function Edit<T>({ id, kind, read, height, children }: Edited<T> & { readonly id: string }) {
  const current = useVersion([...kind, id], () => read(id))
  return (
    <Versioned of={current} height={height}>
      {thing => children(thing, current.save)}
    </Versioned>
  )
}
