import { Stack, Text } from '@mantine/core'
import { CodeBlock } from '../../../../shared/copy/code-block.tsx'
import { adminTexts } from '../../../../texts/admin.ts'
import { Panel } from '../../panel.tsx'

const words = adminTexts.packages

/** How the operator enables installing, and what works without it. */
export function InstallingOff() {
  return (
    <Panel heading={words.offHeading} lead={words.off}>
      <Stack gap="sm">
        <CodeBlock code="LINNET_PLUGIN_INSTALL=1" copyLabel={words.copySetting} />
        <Text size="sm" c="dimmed">
          {words.offBeside}
        </Text>
        <CodeBlock code="linnet plugins add linnet-plugin-hours" copyLabel={words.copyCommand} />
      </Stack>
    </Panel>
  )
}
