import { type Analytics, queryAnalytics } from '../../../core/visits/read/analytics.ts'

/** What was counted in a span, with nothing to compare it with. */
export async function numbersOf(...asked: Parameters<typeof queryAnalytics>): Promise<Analytics> {
  const { now } = await queryAnalytics(...asked)
  return now
}
