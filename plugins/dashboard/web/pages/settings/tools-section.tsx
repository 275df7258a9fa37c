import { Button, Stack, Text } from '@mantine/core'
import type { MouseEvent } from 'react'
import { CodeBlock } from '../../shared/copy/code-block.tsx'
import { IconBookmark } from '../../shared/icons/icons.ts'
import { notifyFailed } from '../../shared/notices/notify.ts'
import { toolsTexts } from '../../texts/tools.ts'
import { Section } from './section.tsx'

/** Opens the form of a new link for the page that it is clicked on. */
const bookmarklet = `javascript:void open('${location.origin}/dashboard/links/new?url='+encodeURIComponent(location.href)+'&title='+encodeURIComponent(document.title))`

/** How links are made from other pages and other apps. */
export function ToolsSection() {
  const refuse = (event: MouseEvent) => {
    // Our own policy lets no such address run, and here it would be of no use.
    event.preventDefault()
    notifyFailed(toolsTexts.notHere)
  }
  return (
    <Section heading={toolsTexts.heading} lead={toolsTexts.lead}>
      <Stack gap="md">
        <Text size="sm">{toolsTexts.drag}</Text>
        <div>
          <Button
            component="a"
            // React lets no script be an address.
            ref={anchor => anchor?.setAttribute('href', bookmarklet)}
            variant="default"
            leftSection={<IconBookmark size={17} />}
            onClick={refuse}
          >
            {toolsTexts.bookmark}
          </Button>
        </div>
        <Text size="sm">{toolsTexts.byHand}</Text>
        <CodeBlock code={bookmarklet} copyLabel={toolsTexts.copy} />
        <Text size="sm">{toolsTexts.phone}</Text>
      </Stack>
    </Section>
  )
}
