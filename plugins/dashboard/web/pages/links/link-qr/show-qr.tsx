import { modals } from '@mantine/modals'
import type { Link } from '../../../api/links.ts'
import { withoutScheme } from '../../../shared/without-scheme.ts'
import { texts } from '../../../texts.ts'
import classes from './qr-card.module.css'
import { QrCard } from './qr-card.tsx'

/** The QR code of a link above the page. */
export function showQr(link: Link): void {
  modals.open({
    title: withoutScheme(link.shortUrl),
    closeButtonProps: { 'aria-label': texts.common.close },
    children: (
      <div className={classes.bare}>
        <QrCard link={link} />
      </div>
    ),
  })
}
