import { Title } from '@mantine/core'
import { Fragment, type ReactNode, useEffect } from 'react'
import { texts } from '../../texts.ts'
import classes from './page.module.css'

export interface PageProps {
  /** Names the page on its tab and in its heading. */
  readonly title: string
  /** Beside the heading: the button for what is mostly done here. */
  readonly actions?: ReactNode
  /** Under the heading: a sentence, or what is known at a glance. */
  readonly lead?: ReactNode
  readonly children: ReactNode
}

/** A page within the shell: every page is one. */
export function Page({ title, actions, lead, children }: PageProps) {
  useTitle(title)
  return (
    <>
      <header className={classes.header}>
        <Title order={1}>{breakable(title)}</Title>
        {lead && <div className={classes.lead}>{lead}</div>}
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </>
  )
}

/** A short URL breaks after its host, and not within a word. */
function breakable(title: string): ReactNode {
  const [first, ...rest] = title.split('/')
  return (
    <>
      {first}
      {rest.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts may be the same, and never move
        <Fragment key={index}>
          /<wbr />
          {part}
        </Fragment>
      ))}
    </>
  )
}

/** Name the tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${texts.product}`
  }, [title])
}
