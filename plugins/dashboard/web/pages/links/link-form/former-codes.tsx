import { Fragment } from 'react'
import type { Link } from '../../../api/links/links.ts'
import { texts } from '../../../texts.ts'
import classes from './link-form.module.css'

/** The former short codes of a link, which keep redirecting. */
export function FormerCodes({ link }: { readonly link: Link | undefined }) {
  if (!link?.formerShortCodes?.length) return null
  return (
    <p className={classes.former}>
      {texts.editLink.formerCodes}
      {link.formerShortCodes.map(code => (
        <Fragment key={code}>
          {' '}
          <code>{code}</code>
        </Fragment>
      ))}
    </p>
  )
}
