import { Button, Modal } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { AnalyticsQuestion, Subject } from '../../../api/analytics/analytics.ts'
import { mostLinks, topLinksQuery } from '../../../api/analytics/top-links.ts'
import { Rows } from '../../../shared/lists/rows.tsx'
import { analyticsTexts } from '../../../texts/analytics.ts'
import { texts } from '../../../texts.ts'
import { Card } from '../card/card.tsx'
import { SavePanel } from '../save/save-panel.tsx'
import { LinkTable } from '../values/link-table.tsx'

export interface TopLinksPanelProps {
  readonly subject: Subject
  readonly question: AnalyticsQuestion
}

const shownLinks = 8

/** The most visited links, and a button for more. */
export function TopLinksPanel({ subject, question }: TopLinksPanelProps) {
  const [isOpen, { open, close }] = useDisclosure(false)
  const { data, error } = useQuery(topLinksQuery(subject, { ...question, limit: shownLinks }))
  if (error && !data) throw error
  if (data?.links.length === 0) return null
  const heading = analyticsTexts.topLinks
  return (
    <Card
      heading={heading}
      aside={
        <SavePanel heading={heading} subject={subject} question={question} what="analytics/links" />
      }
    >
      {data ? <LinkTable links={data.links} /> : <Rows />}
      {data?.links.length === shownLinks && (
        <Button variant="subtle" size="compact-sm" ms="auto" mt="xs" onClick={open}>
          {analyticsTexts.showLinks}
        </Button>
      )}
      <Modal
        opened={isOpen}
        onClose={close}
        size="xl"
        title={heading}
        closeButtonProps={{ 'aria-label': texts.common.close }}
      >
        <AllLinks subject={subject} question={question} />
      </Modal>
    </Card>
  )
}

/** Requested only once the dialog opens. */
function AllLinks({ subject, question }: TopLinksPanelProps) {
  const { data, error } = useQuery(topLinksQuery(subject, { ...question, limit: mostLinks }))
  if (error && !data) throw error
  return data ? <LinkTable links={data.links} /> : <Rows />
}
