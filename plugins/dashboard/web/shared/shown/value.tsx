import { Anchor } from '@mantine/core'
import { texts } from '../../texts.ts'
import { Mark } from '../icons/mark.tsx'
import { formatMoment, formatNumber } from '../text/format.ts'
import { withoutScheme } from '../text/without-scheme.ts'
import { Picture } from './picture.tsx'
import type { Shown } from './shown-value.ts'
import classes from './value.module.css'

const colors = { good: 'teal', warning: 'yellow', bad: 'red' } as const

/** A value of a plugin: a badge if the plugin has a word for it, and otherwise text. */
export function Value({ shown: { words, as }, value }: { readonly shown: Shown; value: unknown }) {
  const word = words.find(it => it.value === String(value))
  if (word) {
    return (
      <Mark color={word.tone ? colors[word.tone] : 'gray'} className={classes.word}>
        {word.label}
      </Mark>
    )
  }
  const text = as === 'picture' ? String(value) : textOf(value)
  if (as === 'date' && !Number.isNaN(Date.parse(text))) {
    return <time dateTime={text}>{formatMoment(text)}</time>
  }
  if (as === 'address' && /^https?:\/\//i.test(text)) {
    return (
      <Anchor inherit href={text} target="_blank" rel="noreferrer">
        {withoutScheme(text)}
      </Anchor>
    )
  }
  if (as === 'picture' && /^data:image\//.test(text)) return <Picture uri={text} />
  return <>{text}</>
}

/** More is of no use on a screen. */
const maxLength = 500

function textOf(value: unknown): string {
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value === 'boolean') return value ? texts.common.yes : texts.common.no
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}
