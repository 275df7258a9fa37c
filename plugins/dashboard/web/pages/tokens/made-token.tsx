import { Alert, Button, Stack, Text } from '@mantine/core'
import type { MadeToken } from '../../api/account/tokens.ts'
import { CodeBlock } from '../../shared/copy/code-block.tsx'
import { IconKey } from '../../shared/icons/icons.ts'
import { tokensTexts } from '../../texts/tokens.ts'
import { texts } from '../../texts.ts'
import { readCommand } from './command.ts'

/** A new token, shown only this once, and a command to test it. */
export function MadeTokenPanel({
  token: { token, scopes },
  onClose,
}: {
  readonly token: MadeToken
  onClose(): void
}) {
  return (
    <Stack>
      <Alert variant="default" icon={<IconKey size={18} />} title={tokensTexts.onceHeading}>
        {tokensTexts.once}
      </Alert>
      <CodeBlock code={token} copyLabel={tokensTexts.copyToken} />
      <Text size="sm" fw={600} mb="-0.5rem">
        {tokensTexts.tryIt}
      </Text>
      <CodeBlock code={readCommand(token, scopes)} copyLabel={tokensTexts.copyCommand} />
      <Button onClick={onClose} data-autofocus>
        {texts.common.done}
      </Button>
    </Stack>
  )
}
