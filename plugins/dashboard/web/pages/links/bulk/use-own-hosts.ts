import { useInfiniteQuery } from '@tanstack/react-query'
import { useFeature } from '../../../api/instance/manifest.ts'
import { domainsQuery } from '../../../api/links/domains.ts'

/** The account's own hosts that links can be on. */
export function useOwnHosts(): readonly string[] {
  const isOn = useFeature('organization.customDomains') === 'on'
  const { data } = useInfiniteQuery({ ...domainsQuery, enabled: isOn })
  return data?.items.filter(({ verified }) => verified).map(({ host }) => host) ?? []
}
