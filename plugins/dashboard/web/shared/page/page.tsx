import { Title } from '@mantine/core'
import { Fragment, type ReactNode, useEffect } from 'react'
import { texts } from '../../texts.ts'
import { showHidden } from '../text/shown.ts'
import classes from './page.module.css'

export interface PageProps {
  /** The title of the browser tab and the heading. */
  readonly title: string
  /** Shown beside the heading: the button for the main action of the page. */
  readonly actions?: ReactNode
  /** Shown below the heading: a sentence, or a few facts. */
  readonly lead?: ReactNode
  readonly children: ReactNode
}

/** A page within the shell; every page uses it. */
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

/** Lets a short URL break after its host, not within a word. */
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

/** Set the title of the browser tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${showHidden(title)} · ${texts.product}`
  }, [title])
}
