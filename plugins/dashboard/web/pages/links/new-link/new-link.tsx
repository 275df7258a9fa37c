import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link as PageLink } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { sendOnce } from '../../../api/client/send-once.ts'
import { main, manifestQuery } from '../../../api/instance/manifest.ts'
import { makeLink } from '../../../api/links/link-form.ts'
import type { Link } from '../../../api/links/links.ts'
import { useFieldForm } from '../../../shared/fields/use-field-form.ts'
import { changeOf, type Values } from '../../../shared/fields/values.ts'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { LocalUrls } from '../../../shared/notices/local-urls.tsx'
import { Page } from '../../../shared/page/page.tsx'
import { withScheme } from '../../../shared/text/with-scheme.ts'
import { linkFormTexts } from '../../../texts/link-form.ts'
import { texts } from '../../../texts.ts'
import { allFields, type FormField, formFields } from '../link-form/fields/form-fields.ts'
import { valuesOf } from '../link-form/fields/values.ts'
import { LinkForm } from '../link-form/link-form.tsx'
import { Unsaved } from '../link-form/unsaved.tsx'
import { ManyPasted } from './many-pasted.tsx'
import { useHandOver } from './use-hand-over.ts'

export interface NewLinkProps {
  /** The initial original URL. */
  readonly url?: string | undefined
  readonly title?: string | undefined
  readonly like?: Link
}

/** The form for a new link, with all settings. */
export function NewLink({ url = '', title, like }: NewLinkProps) {
  const { data: manifest } = useSuspenseQuery(manifestQuery)
  const [fields] = useState(() => formFields(manifest, 'create'))
  const [empty] = useState(() => valuesOf(allFields(fields)))
  const [make] = useState(() => sendOnce(makeLink))
  const handOver = useHandOver()
  const [first] = useState((): Values => {
    if (like) return copyOf(allFields(fields), like, empty)
    return { ...empty, original_url: withScheme(url), ...(title && { title }) }
  })
  const state = useFieldForm(first)
  const { submit, isPending, problem } = useSubmit(
    state.form,
    values => make({ ...changeOf(empty, values), original_url: values.original_url }),
    made => {
      state.rebase(state.form.getValues())
      return handOver(made)
    },
  )
  useFocusOn('original_url')

  return (
    <Page title={texts.newLink.title}>
      <LocalUrls />
      <ManyPasted into="original_url">
        <LinkForm
          fields={fields}
          state={state}
          problem={problem}
          isPending={isPending}
          onSubmit={submit}
        >
          <Button variant="default" renderRoot={props => <PageLink {...props} to="/links" />}>
            {linkFormTexts.cancel}
          </Button>
          <Button type="submit" loading={isPending}>
            {linkFormTexts.submit}
          </Button>
        </LinkForm>
      </ManyPasted>
      <Unsaved isUnsaved={() => state.form.isDirty()} />
    </Page>
  )
}

/** The values of another link, without those that must be unique and those that the plan does not include. */
function copyOf(fields: readonly FormField[], like: Link, empty: Values): Values {
  const isUsualHost = like.domain === main.host
  const isItsOwn = ({ name, state }: FormField) =>
    name === 'short_code' || state === 'barred' || (name === 'domain' && isUsualHost)
  const own = fields.filter(isItsOwn).map(({ name }) => [name, empty[name]])
  return { ...valuesOf(fields, like), ...Object.fromEntries(own) }
}

/** Puts the focus on the original URL, which is what people come to enter. */
function useFocusOn(name: string): void {
  useEffect(
    () => document.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.focus(),
    [name],
  )
}
