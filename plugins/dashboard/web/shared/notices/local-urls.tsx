import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { profileQuery } from '../../api/account/profile.ts'
import { instanceQuery } from '../../api/admin/instance.ts'
import { texts } from '../../texts.ts'
import { Note } from './note.tsx'

const local = /^((.+\.)?localhost|127(\.\d+){3}|\[::1\])$/

/** Tells admins that nobody else can open the short URLs, where links are made and copied. */
export function LocalUrls() {
  const { data: profile } = useSuspenseQuery(profileQuery)
  const isAway = !local.test(location.hostname)
  const { data: instance } = useQuery({
    ...instanceQuery,
    enabled: profile.isAdmin && isAway,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!instance || !local.test(new URL(instance.baseUrl).hostname)) return null
  return <Note text={texts.links.localUrls(instance.baseUrl, location.origin)} />
}
