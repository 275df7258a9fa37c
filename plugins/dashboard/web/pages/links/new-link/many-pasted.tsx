import { Alert, Button } from '@mantine/core'
import { Link as PageLink } from '@tanstack/react-router'
import { type ClipboardEvent, type ReactNode, useState } from 'react'
import { IconListNumbers } from '../../../shared/icons/icons.ts'
import { formatNumber } from '../../../shared/text/format.ts'
import { texts } from '../../../texts.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The text that was pasted into an input for one address. */
    readonly pasted?: string
  }
}

export interface ManyPastedProps {
  /** The name of the input for one address. */
  readonly into: string
  readonly children: ReactNode
}

/** Offers to create many links when several lines or addresses are pasted into an input for one. */
export function ManyPasted({ into, children }: ManyPastedProps) {
  const [pasted, setPasted] = useState('')
  const count = linesIn(pasted).length
  const take = (event: ClipboardEvent) => {
    const lines = linesIn(event.clipboardData.getData('text'))
    const isThere = event.target instanceof HTMLInputElement && event.target.name === into
    if (!isThere || lines.length < 2) return
    // The input would join the lines.
    event.preventDefault()
    setPasted(lines.join('\n'))
  }
  return (
    <div onPasteCapture={take}>
      {count > 0 && (
        <Alert variant="default" icon={<IconListNumbers size={18} />} mb="md" role="status">
          {texts.newLink.severalPasted(formatNumber(count))}{' '}
          <Button
            size="compact-sm"
            variant="default"
            renderRoot={props => (
              <PageLink {...props} to="/links/import" state={{ pasted }}>
                {props.children}
              </PageLink>
            )}
          >
            {texts.newLink.makeAll}
          </Button>
        </Alert>
      )}
      {children}
    </div>
  )
}

/** The lines that are not empty. Addresses beside each other count as lines. */
function linesIn(text: string): readonly string[] {
  const words = text.trim().split(/\s+/)
  if (words.every(word => /^https?:\/\//i.test(word))) return words
  return text.split('\n').filter(line => line.trim() !== '')
}
