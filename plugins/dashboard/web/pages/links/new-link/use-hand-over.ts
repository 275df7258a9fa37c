import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { LinkVersion } from '../../../api/links/link-form.ts'
import { linkQuery, linksKey } from '../../../api/links/links.ts'
import { copyText } from '../../../shared/copy/copy-text.ts'
import { notifyDone } from '../../../shared/notices/notify.ts'
import { useStillHere } from '../../../shared/page/use-still-here.ts'
import { texts } from '../../../texts.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The short URL of the shown link is on the clipboard. */
    readonly isCopied?: boolean
  }
}

/** Hands over a new link: copies its short URL and shows it, unless the page was left meanwhile. */
export function useHandOver(): (made: LinkVersion) => Promise<void> {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isHere = useStillHere()
  return async made => {
    const { id, shortUrl } = made.link
    queryClient.setQueryData(linkQuery(id).queryKey, made)
    void queryClient.invalidateQueries({ queryKey: [...linksKey, 'list'] })
    if (!isHere()) return notifyDone(texts.newLink.made(shortUrl))
    const isCopied = await copyText(shortUrl)
    await navigate({ to: '/links/new', search: { made: id }, state: { isCopied } })
  }
}
