import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link as PageLink } from '@tanstack/react-router'
import { type Link, linkQuery } from '../../api/links/links.ts'
import { CopyButton } from '../../shared/copy/copy-button.tsx'
import { IconCornerDownRight, IconPencil } from '../../shared/icons/icons.ts'
import { Page } from '../../shared/page/page.tsx'
import { withoutScheme } from '../../shared/text/without-scheme.ts'
import { texts } from '../../texts.ts'
import classes from './link-analytics-page.module.css'
import { NoVisits } from './report/no-visits.tsx'
import { Outline } from './report/outline.tsx'
import { Report } from './report/report.tsx'
import { ShareButton } from './share/share-button.tsx'

const route = getRouteApi('/inside/links/$id/analytics')

/** The analytics of one link. */
export function LinkAnalyticsPage() {
  const { id } = route.useParams()
  const { data, error } = useQuery(linkQuery(id))
  if (error && !data) throw error
  if (!data) {
    return (
      <Page title={texts.analytics.title}>
        <Outline />
      </Page>
    )
  }
  const { link } = data
  return (
    <Report
      subject={{ kind: 'links', id }}
      title={link.title ?? withoutScheme(link.shortUrl)}
      lead={<Addresses link={link} />}
      actions={
        <>
          <ShareButton of={id} />
          <Button
            variant="default"
            leftSection={<IconPencil size={17} />}
            renderRoot={props => <PageLink {...props} to="/links/$id" params={{ id }} />}
          >
            {texts.analytics.editLink}
          </Button>
        </>
      }
      empty={
        <NoVisits
          isNew={link.visits.total === 0}
          lead={link.qrCodeUrl ? texts.analytics.teachQr : texts.analytics.teachLink}
        >
          {link.qrCodeUrl && (
            <img
              className={classes.qr}
              src={`/api/v1/links/${id}/qr`}
              width={168}
              height={168}
              alt={texts.analytics.qrOf(withoutScheme(link.shortUrl))}
            />
          )}
        </NoVisits>
      }
    />
  )
}

function Addresses({ link: { shortUrl, originalUrl } }: { readonly link: Link }) {
  const short = withoutScheme(shortUrl)
  return (
    <span className={classes.addresses}>
      <span className={classes.short}>
        <Anchor href={shortUrl} target="_blank" rel="noreferrer" fw={600} inherit>
          {short}
        </Anchor>
        <CopyButton text={shortUrl} label={texts.links.copyLink(short)} />
      </span>
      <span className={classes.target} title={originalUrl}>
        <IconCornerDownRight size={15} aria-hidden="true" />
        {withoutScheme(originalUrl)}
      </span>
    </span>
  )
}
