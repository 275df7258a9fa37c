import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { main } from '../../../api/instance/manifest.ts'
import { campaignsKey, campaignsQuery, createCampaign } from '../../../api/links/campaigns.ts'
import type { Fields } from '../../../api/links/link-form.ts'
import { createTag, tagsKey, tagsQuery } from '../../../api/links/tags.ts'
import { momentIn, namesIn, numberIn, type Said } from './drafts.ts'

/** The values of a row as fields for the API. */
export type FieldsOf = (said: Said) => Promise<Fields>

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

  return async said => {
    const { tags, campaign, expires_at, domain, title, ...others } = said
    const { redirect_status, redirect_cache_seconds, paths, ...plain } = others
    const tagIds = await Promise.all(namesIn(tags).map(name => idOf('tag', name)))
    return {
      ...plain,
      // A cell may contain line breaks.
      ...(title && { title: title.replace(/\s+/g, ' ') }),
      ...(domain && domain !== main.host && { domain }),
      ...(tagIds.length > 0 && { tag_ids: tagIds }),
      ...(campaign && { campaign_id: await idOf('campaign', campaign) }),
      ...(expires_at && { expires_at: momentIn(expires_at) }),
      ...(redirect_status && { redirect_status: numberIn(redirect_status) }),
      ...(redirect_cache_seconds && {
        redirect_cache_seconds: numberIn(redirect_cache_seconds),
      }),
      ...(paths && { paths }),
    }
  }
}
