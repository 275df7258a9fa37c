import { Button, Stack, Text } from '@mantine/core'
import type { MouseEvent } from 'react'
import { bookmarkletOf } from '../../shared/copy/bookmarklet.ts'
import { CodeBlock } from '../../shared/copy/code-block.tsx'
import { IconBookmark } from '../../shared/icons/icons.ts'
import { notifyFailed } from '../../shared/notices/notify.ts'
import { toolsTexts } from '../../texts/settings.ts'
import { Section } from './section.tsx'

const bookmarklet = bookmarkletOf(location.origin)

/** How to create links from other pages and other apps. */
export function ToolsSection() {
  const refuse = (event: MouseEvent) => {
    // Our own policy blocks such an address, and here it would be useless anyway.
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
            // React refuses `javascript:` addresses.
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
