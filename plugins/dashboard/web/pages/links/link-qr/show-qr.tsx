import type { Link } from '../../../api/links/links.ts'
import { openDialog } from '../../../shared/dialogs/open-dialog.ts'
import { withoutScheme } from '../../../shared/text/without-scheme.ts'
import classes from './qr-card.module.css'
import { QrCard } from './qr-card.tsx'

/** Opens the QR code of a link in a dialog. */
export function showQr(link: Link): void {
  openDialog(withoutScheme(link.shortUrl), () => (
    <div className={classes.bare}>
      <QrCard link={link} />
    </div>
  ))
}
