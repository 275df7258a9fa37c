/** What a link's answer has without any plugin. */
export const namesOfLink: readonly string[] = [
  'id',
  'shortCode',
  'shortUrl',
  'originalUrl',
  'domain',
  'title',
  'notes',
  'archived',
  'status',
  'visits',
  'lastVisitAt',
  'createdAt',
  'updatedAt',
]

/** What requests that write a link can carry without any plugin. */
export const namesOfRequest: Readonly<Record<'create' | 'edit', readonly string[]>> = {
  create: ['originalUrl', 'title', 'notes', 'archived'],
  edit: ['title', 'notes', 'archived'],
}

/** What the answer of `/analytics` has beside the dimensions, and its numbers of the span before. */
export const namesOfAnalytics: readonly string[] = [
  'from',
  'to',
  'timezone',
  'granularity',
  'totals',
  'previous',
  'change',
]
