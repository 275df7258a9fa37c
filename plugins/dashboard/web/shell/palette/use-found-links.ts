import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { linksQuery } from '../../api/links/links.ts'
import { IconLink } from '../../shared/icons/icons.ts'
import { withoutScheme } from '../../shared/text/without-scheme.ts'
import type { Command } from './command.ts'

const typingMs = 150
const maxLinks = 6

/** The newest links that match the search, as commands that open them. */
export function useFoundLinks(search: string): {
  readonly links: readonly Command[]
  readonly isLooking: boolean
} {
  const navigate = useNavigate()
  const text = search.trim()
  const [asked] = useDebouncedValue(text, typingMs)
  const isAsked = asked !== ''
  const { data, isPending, isPlaceholderData } = useQuery({
    ...linksQuery({ search: asked.slice(0, 200), per_page: maxLinks, sort: '-created_at' }),
    enabled: isAsked,
  })
  const links = (isAsked && text !== '' ? (data?.links ?? []) : []).map(
    ({ id, shortUrl, title, originalUrl }): Command => ({
      id,
      group: 'links',
      label: withoutScheme(shortUrl),
      hint: title ?? withoutScheme(originalUrl),
      icon: IconLink,
      shortUrl,
      run: () => navigate({ to: '/links/$id', params: { id } }),
    }),
  )
  const isLooking = text !== asked || (isAsked && (isPending || isPlaceholderData))
  return { links, isLooking }
}
