import { SegmentedControl, Stack } from '@mantine/core'
import { useState } from 'react'
import { CodeBlock } from '../../../shared/copy/code-block.tsx'
import { apiTexts } from '../../../texts/api.ts'
import type { Filled } from './filled.ts'
import type { Operation } from './operations.ts'
import { codeOf, type Way, ways } from './ways-to-call.ts'

/** The request as a program or a person elsewhere sends it. */
export function CallElsewhere({
  operation,
  filled,
}: {
  readonly operation: Operation
  readonly filled: Filled
}) {
  const [way, setWay] = useState<Way>('curl')
  return (
    <Stack gap="xs" align="start">
      <SegmentedControl
        size="xs"
        aria-label={apiTexts.elsewhere}
        value={way}
        onChange={value => setWay(ways.find(it => it === value) ?? 'curl')}
        data={[...ways]}
      />
      <CodeBlock
        code={codeOf(way, operation, filled, window.location.origin)}
        copyLabel={apiTexts.copyCommand}
      />
    </Stack>
  )
}
