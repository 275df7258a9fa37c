import { SegmentedControl, Skeleton, useComputedColorScheme } from '@mantine/core'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { PreviewedPage } from '../../../api/admin/brand.ts'
import { messageOf } from '../../../shared/notices/notify.ts'
import { adminTexts } from '../../../texts/admin.ts'
import { texts } from '../../../texts.ts'
import { drawPage, type Scheme } from './draw-page.ts'
import classes from './preview.module.css'

const words = adminTexts.brand
const { schemes } = texts.shell

export interface PreviewProps {
  readonly page: PreviewedPage
  onTurn(page: PreviewedPage): void
  /** The whole page; undefined until the first preview has loaded. */
  readonly html: string | undefined
  readonly error: unknown
}

/** A page as visitors will see it, in light and dark. */
export function Preview({ page, onTurn, html, error }: PreviewProps) {
  const own = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const [scheme, setScheme] = useState<Scheme>(own)
  return (
    <>
      <div className={classes.controls}>
        <SegmentedControl
          size="xs"
          aria-label={words.page}
          value={page}
          onChange={onTurn}
          data={(['password', 'not_found'] as const).map(value => ({
            value,
            label: words.pages[value],
          }))}
        />
        <SegmentedControl
          size="xs"
          aria-label={texts.shell.scheme}
          value={scheme}
          onChange={setScheme}
          data={(['light', 'dark'] as const).map(value => ({ value, label: schemes[value] }))}
        />
      </div>
      {html !== undefined && (
        <Frame title={words.previewOf(words.pages[page])} html={html} scheme={scheme} />
      )}
      {html === undefined && !error && <Skeleton className={classes.frame} />}
      {Boolean(error) && (
        <p className={classes.problem} role="alert">
          {messageOf(error)}
        </p>
      )}
    </>
  )
}

interface FrameProps {
  readonly title: string
  readonly html: string
  readonly scheme: Scheme
}

/** Has a window of its own, so that the page is laid out as on a phone. */
function Frame({ title, html, scheme }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const draw = useCallback(() => {
    if (frame.current) drawPage(frame.current, html, scheme)
  }, [html, scheme])
  useEffect(draw, [draw])
  // Firefox empties a frame once more after adding it.
  return (
    <iframe
      ref={frame}
      title={title}
      className={classes.frame}
      sandbox="allow-same-origin"
      tabIndex={-1}
      onLoad={draw}
    />
  )
}
