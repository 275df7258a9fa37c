import { useInfiniteQuery } from '@tanstack/react-query'
import { main } from '../../../../api/instance/manifest.ts'
import { domainsQuery } from '../../../../api/links/domains.ts'
import { ChooseOne } from '../../../../shared/choices/choose-one.tsx'
import { inputProps } from '../../../../shared/fields/control-props.ts'
import { linkFormTexts } from '../../../../texts/link-form.ts'
import type { LinkControlProps } from '../fields/link-control-props.ts'

/** The host of the short URL. Hidden if the instance has only one. */
export function DomainChoice(props: LinkControlProps) {
  const { data } = useInfiniteQuery({ ...domainsQuery, enabled: props.field.state === 'on' })
  const hosts = data?.items.filter(({ verified }) => verified).map(({ host }) => host)
  if (!hosts?.length) return null
  return (
    <ChooseOne
      {...inputProps(props)}
      description={undefined}
      placeholder={linkFormTexts.defaultDomain(main.host)}
      data={hosts}
      value={hosts.find(host => host === props.value) ?? null}
      onChange={props.onChange}
      searchable={hosts.length > 10}
      clearable
    />
  )
}
