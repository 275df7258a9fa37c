import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { main } from '../../../api/instance/manifest.ts'
import { campaignsKey, campaignsQuery, createCampaign } from '../../../api/links/campaigns.ts'
import type { Fields } from '../../../api/links/link-form.ts'
import { createTag, tagsKey, tagsQuery } from '../../../api/links/tags.ts'
import type { Target } from './columns.ts'
import type { Planned } from './plan.ts'
import { namesIn, valueIn } from './read-cell.ts'

/** The values of a row as fields for the API. */
export type FieldsOf = (planned: Planned) => Promise<Fields>

interface Named {
  readonly id: string
  readonly name: string
}

/** Looks up tags and campaigns by name, and creates each missing one once. */
export function useNames(): FieldsOf {
  const queryClient = useQueryClient()
  const known = useRef(new Map<string, Promise<string>>())

  const idOf = (kind: 'tag' | 'campaign', name: string): Promise<string> => {
    const key = `${kind} ${name.toLowerCase()}`
    const id = known.current.get(key) ?? find(kind, name)
    known.current.set(key, id)
    // A failure must not be remembered as the answer.
    id.catch(() => known.current.delete(key))
    return id
  }
  const find = async (kind: 'tag' | 'campaign', name: string): Promise<string> => {
    const isIt = (it: Named) => it.name.toLowerCase() === name.toLowerCase()
    const named: readonly Named[] =
      kind === 'tag'
        ? await queryClient.fetchQuery(tagsQuery(name))
        : await queryClient.fetchQuery(campaignsQuery(name))
    const found = named.find(isIt)
    if (found) return found.id
    const made = kind === 'tag' ? await createTag({ name }) : await createCampaign({ name })
    await queryClient.invalidateQueries({ queryKey: kind === 'tag' ? tagsKey : campaignsKey })
    return made.id
  }

  const read = async ({ field }: Target, text: string): Promise<unknown> => {
    if (field.control === 'tags') {
      return Promise.all(namesIn(text).map(name => idOf('tag', name)))
    }
    if (field.control === 'campaign') return idOf('campaign', text)
    return valueIn(text, field)
  }

  return async ({ draft, said }) => {
    const fields: Record<string, unknown> = {}
    for (const target of draft.columns.filter(it => it !== null)) {
      const { field, part } = target
      const text = said[target.name]
      if (text === undefined || (field.control === 'domain' && text === main.host)) continue
      const value = await read(target, text)
      fields[field.name] = part ? { ...Object(fields[field.name]), [part]: value } : value
    }
    return fields
  }
}
