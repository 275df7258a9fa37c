import type { TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Empty } from '../notices/empty.tsx'
import { Note } from '../notices/note.tsx'
import { Page } from '../page/page.tsx'
import { AddButton } from './add-button.tsx'
import { LongList, type LongListProps } from './long-list.tsx'

export interface ListPageProps<T> extends Pick<LongListProps<T>, 'of' | 'isSpaced'> {
  readonly words: ListPageWords
  /** Of an empty page. */
  readonly icon: TablerIcon
  /** Why there can be no more of them. */
  readonly reason: string | undefined
  /** How many of how many there are, in place of the lead. */
  readonly used?: string | undefined
  readonly canAdd: boolean
  /** Beside the button for another. */
  readonly aside?: ReactNode
  onAdd(): void
  /** The `<li>` of a thing, with its key. */
  row(thing: T): ReactNode
  /** What an empty page shows besides its words. */
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

/** A page of all things of one kind that an account has, and the way to make another. */
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
