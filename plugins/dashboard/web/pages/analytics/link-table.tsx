import { VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { TopLink } from '../../api/top-links.ts'
import { formatNumber, formatShare } from '../../shared/format.ts'
import { withoutScheme } from '../../shared/without-scheme.ts'
import { analyticsTexts } from '../../texts/analytics.ts'
import { texts } from '../../texts.ts'
import type { AnalyticsSearch } from './analytics-search.ts'
import classes from './link-table.module.css'
import { areCompared, RowChange } from './row-change.tsx'
import { useAnalyticsSearch } from './use-analytics-search.ts'
import table from './value-table.module.css'

/** Links with their visits, each leading to its own numbers of the same span. */
export function LinkTable({ links }: { readonly links: readonly TopLink[] }) {
  const { search } = useAnalyticsSearch()
  const { domain: _, ...span }: AnalyticsSearch = search
  const widest = Math.max(...links.map(({ share }) => share))
  const isCompared = areCompared(links)
  return (
    <table className={table.table} data-compared={isCompared || undefined}>
      <thead>
        <tr>
          <th scope="col">
            <VisuallyHidden>{analyticsTexts.link}</VisuallyHidden>
          </th>
          <th scope="col">{texts.analytics.visits}</th>
          <th scope="col">{texts.analytics.share}</th>
          {isCompared && <th scope="col">{analyticsTexts.change}</th>}
        </tr>
      </thead>
      <tbody>
        {links.map(link => (
          <tr key={link.id}>
            <th scope="row">
              <span
                className={table.bar}
                style={{ inlineSize: `${(link.share / widest) * 100}%` }}
              />
              <Link
                className={`${table.value} ${classes.link}`}
                to="/links/$id/analytics"
                params={{ id: link.id }}
                search={span}
                title={link.originalUrl}
              >
                <span className={classes.name}>{link.title ?? withoutScheme(link.shortUrl)}</span>
                {link.title !== null && (
                  <span className={classes.address}>{withoutScheme(link.shortUrl)}</span>
                )}
              </Link>
            </th>
            <td>{formatNumber(link.visits)}</td>
            <td className={table.share}>{formatShare(link.share)}</td>
            {isCompared && <RowChange {...link} />}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
