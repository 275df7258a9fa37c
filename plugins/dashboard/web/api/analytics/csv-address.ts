import { type AnalyticsQuestion, allValues, type Subject } from './analytics.ts'
import type { TopLinksQuestion } from './top-links.ts'

/** The address of the same analytics as a CSV file. */
export function csvAddress(
  subject: Subject,
  question: AnalyticsQuestion | TopLinksQuestion,
  what: 'analytics' | 'analytics/links' = 'analytics',
): string {
  const path = subject.kind === 'account' ? '' : `/${subject.kind}/${subject.id}`
  const query = { ...question, limit: allValues }
  const parameters = Object.entries(query).map(([name, value]) => [name, String(value)])
  return `/api/v1${path}/${what}.csv?${new URLSearchParams(parameters)}`
}
