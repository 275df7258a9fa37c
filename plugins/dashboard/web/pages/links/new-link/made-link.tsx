import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link as PageLink, useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useFeature } from '../../../api/instance/manifest.ts'
import { type Link, linkQuery } from '../../../api/links/links.ts'
import { qrQuery } from '../../../api/links/qr.ts'
import { copyText } from '../../../shared/copy/copy-text.ts'
import {
  IconCheck,
  IconCopy,
  IconCornerDownRight,
  IconPencil,
  IconPlus,
} from '../../../shared/icons/icons.ts'
import { Rows } from '../../../shared/lists/rows.tsx'
import { Page } from '../../../shared/page/page.tsx'
import { withoutScheme } from '../../../shared/text/without-scheme.ts'
import { NotFound } from '../../../shell/start/failed.tsx'
import { texts } from '../../../texts.ts'
import { useQrLook, usualLook } from '../link-qr/use-qr-look.ts'
import classes from './made-link.module.css'

/** A link that was just created, to copy. */
export function MadeLink({ id }: { readonly id: string }) {
  const { data, error } = useQuery(linkQuery(id))
  if (error) return <NotFound />
  if (!data) return <Rows />
  return <Taking key={id} link={data.link} />
}

function Taking({ link }: { readonly link: Link }) {
  const { id, shortUrl, originalUrl, title } = link
  const wasCopied = useLocation({ select: ({ state }) => state.isCopied === true })
  const [isCopied, setIsCopied] = useState(wasCopied)
  const [isRefused, setIsRefused] = useState(!wasCopied)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  const copy = async () => {
    const isDone = await copyText(shortUrl)
    setIsCopied(isDone)
    setIsRefused(!isDone)
  }
  const hasQr = useFeature('analytics.visitsFromQrCodesTracking') !== 'absent'

  return (
    <Page
      title={texts.newLink.madeTitle}
      lead={
        <span role="status">
          {texts.newLink.made(withoutScheme(shortUrl))} {isCopied && texts.newLink.copied}
          {isRefused && texts.newLink.notCopied}
        </span>
      }
    >
      <section className={classes.card} aria-label={texts.newLink.madeTitle}>
        {hasQr && <Code link={link} />}
        <div className={classes.what}>
          <Anchor href={shortUrl} target="_blank" rel="noreferrer" className={classes.short}>
            {withoutScheme(shortUrl)}
          </Anchor>
          <div className={classes.about}>
            {title && <span className={classes.title}>{title}</span>}
            <span className={classes.target} title={originalUrl}>
              <IconCornerDownRight size={15} aria-hidden="true" /> {withoutScheme(originalUrl)}
            </span>
          </div>
          <div className={classes.actions}>
            <Button
              ref={button}
              leftSection={isCopied ? <IconCheck size={18} /> : <IconCopy size={18} />}
              onClick={() => void copy()}
            >
              {isCopied ? texts.newLink.copyAgain : texts.newLink.copy}
            </Button>
            <Button
              variant="default"
              leftSection={<IconPlus size={18} />}
              renderRoot={props => <PageLink {...props} to="/links/new" search={{}} />}
            >
              {texts.newLink.another}
            </Button>
            <Button
              variant="default"
              leftSection={<IconPencil size={17} />}
              renderRoot={props => <PageLink {...props} to="/links/$id" params={{ id }} />}
            >
              {texts.editLink.title}
            </Button>
          </div>
        </div>
      </section>
      <p className={classes.all}>
        <Anchor renderRoot={props => <PageLink {...props} to="/links" />}>
          {texts.newLink.toLinks}
        </Anchor>
      </p>
    </Page>
  )
}

function Code({ link: { id, shortUrl } }: { readonly link: Link }) {
  const { look = usualLook } = useQrLook(id).kept ?? {}
  const { data: image } = useQuery(qrQuery(id, look))
  return (
    <div className={classes.code}>
      {image && <img src={image} alt={texts.linkQr.alt(shortUrl)} width={160} height={160} />}
    </div>
  )
}
