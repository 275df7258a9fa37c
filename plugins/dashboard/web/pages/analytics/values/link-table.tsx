import { Link } from '@tanstack/react-router'
import type { TopLink } from '../../../api/analytics/top-links.ts'
import { withoutScheme } from '../../../shared/text/without-scheme.ts'
import { analyticsTexts } from '../../../texts/analytics.ts'
import type { AnalyticsSearch } from '../controls/analytics-search.ts'
import { useAnalyticsSearch } from '../controls/use-analytics-search.ts'
import classes from './link-table.module.css'
import table from './visits-table.module.css'
import { VisitsTable } from './visits-table.tsx'

/** Links with their visits, each leading to its own analytics of the same span. */
export function LinkTable({ links }: { readonly links: readonly TopLink[] }) {
  const { search } = useAnalyticsSearch()
  const { domain: _, ...span }: AnalyticsSearch = search
  return (
    <VisitsTable
      label={analyticsTexts.link}
      rows={links}
      keyOf={({ id }) => id}
      cellOf={link => (
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
      )}
    />
  )
}
