import { Mark } from '../../shared/icons/mark.tsx'
import { formatNumber } from '../../shared/text/format.ts'
import { domainsTexts } from '../../texts/domains.ts'
import classes from './domain-card.module.css'
import { DomainMenu, type DomainProps } from './domain-menu.tsx'
import { Proof } from './proof.tsx'

/** A host, where it leads, and, until it is verified, how to prove ownership of it. */
export function DomainCard({ domain, onEdit }: DomainProps) {
  const { host, verified, linksCount, rootUrl, notFoundUrl } = domain
  return (
    <article className={classes.card} aria-label={host}>
      <div className={classes.head}>
        <div className={classes.what}>
          <div className={classes.name}>
            <h3>{host}</h3>
            <Mark color={verified ? 'teal' : 'gray'}>
              {verified ? domainsTexts.verified : domainsTexts.unverified}
            </Mark>
          </div>
          <div className={classes.leads}>
            {domainsTexts.links(linksCount, formatNumber(linksCount))}
          </div>
          {rootUrl && <div className={classes.leads}>{domainsTexts.leadsTo(rootUrl)}</div>}
          {notFoundUrl && (
            <div className={classes.leads}>{domainsTexts.notFoundTo(notFoundUrl)}</div>
          )}
        </div>
        <DomainMenu domain={domain} onEdit={onEdit} />
      </div>
      {!verified && onEdit && <Proof domain={domain} />}
    </article>
  )
}
