import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type Domain, domainsKey, type NewDomain } from '../../api/links/domains.ts'
import { AddressInput } from '../../shared/forms/address-input.tsx'
import { DialogForm } from '../../shared/forms/dialog-form.tsx'
import { useFocusFirst } from '../../shared/forms/use-focus-first.ts'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { useRefresh } from '../../shared/page/use-refresh.ts'
import { domainsTexts } from '../../texts/domains.ts'

export interface DomainFormProps {
  /** What is changed; undefined for a new one. */
  readonly domain?: Domain
  readonly submitLabel: string
  send(body: NewDomain): Promise<Domain>
  onDone(domain: Domain): void
}

/**
 * The form for a host, which cannot change once it is added, and for where it redirects when the path is not a
 * link.
 */
export function DomainForm({ domain, submitLabel, send, onDone }: DomainFormProps) {
  const refresh = useRefresh()
  const first = useFocusFirst()
  const form = useForm({
    initialValues: {
      host: domain?.host ?? '',
      root_url: domain?.rootUrl ?? '',
      not_found_url: domain?.notFoundUrl ?? '',
    },
  })
  const sending = useSubmit(
    form,
    ({ host, root_url, not_found_url }) =>
      send({
        host: hostIn(host),
        root_url: root_url.trim() || null,
        not_found_url: not_found_url.trim() || null,
      }),
    async saved => {
      await refresh(domainsKey)
      onDone(saved)
    },
  )

  return (
    <DialogForm {...sending} submitLabel={submitLabel} noValidate>
      {!domain && (
        <TextInput
          ref={first}
          data-autofocus
          label={domainsTexts.host}
          description={domainsTexts.hostHint}
          placeholder="go.example.org"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          required
          {...form.getInputProps('host')}
        />
      )}
      <AddressInput
        {...(domain && { ref: first, 'data-autofocus': true })}
        label={domainsTexts.rootUrl}
        description={domainsTexts.rootUrlHint}
        placeholder="https://example.org/"
        {...form.getInputProps('root_url')}
      />
      <AddressInput
        label={domainsTexts.notFoundUrl}
        description={domainsTexts.notFoundUrlHint}
        placeholder="https://example.org/404"
        {...form.getInputProps('not_found_url')}
      />
    </DialogForm>
  )
}

/** The host in a text, which may be an address that was copied. */
function hostIn(text: string): string {
  const trimmed = text.trim()
  return /^https?:\/\//i.test(trimmed) ? (URL.parse(trimmed)?.host ?? trimmed) : trimmed
}
