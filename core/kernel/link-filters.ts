import type { z } from 'zod'
import type { LinkRows } from '../plugin.ts'
import type { RunningPlugin } from './start-plugins.ts'

/** What plugins let the list of links be filtered by. */
export interface LinkFilters {
  /** Query parameters, each optional. */
  shape(): Readonly<Record<string, z.ZodType>>
  /** Rows of links, one query a plugin that was asked: a link must be in all of them. */
  rows(query: Readonly<Record<string, unknown>>): readonly LinkRows[]
}

export function createLinkFilters(running: readonly RunningPlugin[]): LinkFilters {
  const filtering = running.filter(({ plugin }) => plugin.filter)
  return {
    shape: () => Object.assign({}, ...filtering.map(({ plugin }) => plugin.filter?.query)),
    rows: query =>
      filtering.flatMap(({ plugin, context }) => plugin.filter?.where(query, context) ?? []),
  }
}
