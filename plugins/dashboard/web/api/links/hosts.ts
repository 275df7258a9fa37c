import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../client/client.ts'
import { useFeature } from '../instance/manifest.ts'
import { domainsKey, domainsQuery } from './domains.ts'

/** The hosts of short URLs besides that of the instance. */
interface Hosts {
  /** Those that links can be put on. */
  readonly open: readonly string[]
  /** Those that may have some. */
  readonly all: readonly string[]
}

/** The account's own hosts, and those that are shared with it. */
export function useHosts(): Hosts {
  const feature = useFeature('organization.customDomains')
  const isThere = feature !== 'absent'
  const own = useInfiniteQuery({ ...domainsQuery, enabled: isThere }).data?.items ?? []
  const { data: shared = [] } = useQuery({
    queryKey: [...domainsKey, 'shared'],
    queryFn: async ({ signal }) =>
      (await dataOf(api.GET('/api/v1/domains/shared', { signal }))).data,
    enabled: isThere,
  })
  const open = [
    ...own.filter(({ verified }) => verified && feature === 'on'),
    ...shared.filter(({ isOpen }) => isOpen),
  ]
  return { open: namesOf(open), all: namesOf([...own, ...shared]) }
}

/** A host that an account claims may be shared, too. */
function namesOf(hosts: readonly { readonly host: string }[]): readonly string[] {
  return [...new Set(hosts.map(({ host }) => host))]
}
