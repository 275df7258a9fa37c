import { useSuspenseQuery } from '@tanstack/react-query'
import { texts } from '../../texts.ts'
import { manifestQuery } from '../instance/manifest.ts'

/** The tone of a status of a plugin; null if it says none. */
export function useTone(status: string) {
  const { data: plugins } = useSuspenseQuery(manifestQuery)
  return plugins.flatMap(({ statuses }) => statuses).find(it => it.name === status)?.tone ?? null
}

/** What each status of links is called, by name: those of plugins between those that every instance has. */
export function useStatuses(): Readonly<Record<string, string>> {
  const { data: plugins } = useSuspenseQuery(manifestQuery)
  const { active, archived } = texts.links.statuses
  const others = plugins.flatMap(({ statuses }) => statuses.map(it => [it.name, it.label] as const))
  return { active, ...Object.fromEntries(others), archived }
}
