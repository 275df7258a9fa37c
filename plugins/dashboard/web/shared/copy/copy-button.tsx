import { ActionIcon, Tooltip } from '@mantine/core'
import { useTimeout } from '@mantine/hooks'
import { useState } from 'react'
import { texts } from '../../texts.ts'
import { IconCheck, IconCopy } from '../icons/icons.ts'
import { notifyFailed } from '../notices/notify.ts'
import { copyText } from './copy-text.ts'

/** How long the tick is shown. */
const tickMs = 1_500

/** Copies a text. A tick confirms it, to screen readers too. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setIsCopied] = useState(false)
  const { start } = useTimeout(() => setIsCopied(false), tickMs)
  const copy = async () => {
    if (!(await copyText(text))) return notifyFailed(texts.errors.notCopied(text))
    setIsCopied(true)
    start()
  }
  return (
    <Tooltip label={isCopied ? texts.common.copied : texts.common.copy}>
      <ActionIcon
        variant="subtle"
        color={isCopied ? 'teal' : 'gray'}
        c={isCopied ? 'teal' : 'dimmed'}
        aria-label={isCopied ? texts.common.copied : label}
        onClick={() => void copy()}
      >
        {isCopied ? <IconCheck size={18} /> : <IconCopy size={18} />}
      </ActionIcon>
    </Tooltip>
  )
}
