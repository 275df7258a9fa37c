import { main } from '../../../../api/instance/manifest.ts'
import { useHosts } from '../../../../api/links/hosts.ts'
import { ChooseOne } from '../../../../shared/choices/choose-one.tsx'
import { inputProps } from '../../../../shared/fields/control-props.ts'
import { linkFormTexts } from '../../../../texts/link-form.ts'
import type { LinkControlProps } from '../fields/link-control-props.ts'

/** The host of the short URL. Hidden if the instance has only one. */
export function DomainChoice(props: LinkControlProps) {
  const hosts = useHosts().open
  if (hosts.length === 0) return null
  return (
    <ChooseOne
      {...inputProps(props)}
      description={undefined}
      // Plans without domains of their own can have shared ones.
      disabled={false}
      placeholder={linkFormTexts.defaultDomain(main.host)}
      data={hosts}
      value={hosts.find(host => host === props.value) ?? null}
      onChange={props.onChange}
      searchable={hosts.length > 10}
      clearable
    />
  )
}
