import type { TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Empty } from '../notices/empty.tsx'
import { Note } from '../notices/note.tsx'
import { Page } from '../page/page.tsx'
import { AddButton } from './add-button.tsx'
import { LongList, type LongListProps } from './long-list.tsx'

export interface ListPageProps<T> extends Pick<LongListProps<T>, 'of' | 'isSpaced'> {
  readonly words: ListPageWords
  /** Shown on an empty page. */
  readonly icon: TablerIcon
  /** Why no more can be created. */
  readonly reason: string | undefined
  /** The usage of the limit, shown instead of the lead. */
  readonly used?: string | undefined
  readonly canAdd: boolean
  /** Shown beside the button to add one. */
  readonly aside?: ReactNode
  onAdd(): void
  /** The `<li>` of a thing, with its key. */
  row(thing: T): ReactNode
  /** Shown on an empty page below its text. */
  readonly example?: ReactNode
  /** The dialogs of the page. */
  readonly children: ReactNode
}

export interface ListPageWords {
  readonly title: string
  readonly lead: string
  readonly list: string
  readonly create: string
  readonly emptyHeading: string
  readonly emptyLead: string
}

/** A page of all things of one kind in an account, with a button to add another. */
export function ListPage<T>(props: ListPageProps<T>) {
  const {
    of,
    words,
    icon: Icon,
    reason,
    used,
    canAdd,
    onAdd,
    row,
    example,
    aside,
    children,
  } = props
  const add = <AddButton label={words.create} disabled={!canAdd} onClick={onAdd} />
  const isEmpty = of.data?.total === 0
  return (
    <Page
      title={words.title}
      lead={used ?? words.lead}
      actions={
        <>
          {aside}
          {!isEmpty && add}
        </>
      }
    >
      <Note text={reason} />
      <LongList
        of={of}
        heading={words.list}
        isSpaced={props.isSpaced}
        empty={
          <Empty
            icon={<Icon size={40} stroke={1.5} />}
            heading={words.emptyHeading}
            lead={words.emptyLead}
          >
            {example}
            {add}
          </Empty>
        }
      >
        {row}
      </LongList>
      {children}
    </Page>
  )
}
