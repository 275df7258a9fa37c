import { Button } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link as PageLink, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { makeLink } from '../../api/link-form.ts'
import { linksKey } from '../../api/links.ts'
import { manifestQuery } from '../../api/manifest.ts'
import { sendOnce } from '../../api/send-once.ts'
import { useFieldForm } from '../../shared/fields/use-field-form.ts'
import { changeOf } from '../../shared/fields/values.ts'
import { notifyDone } from '../../shared/notify.ts'
import { Page } from '../../shared/page.tsx'
import { useStillHere } from '../../shared/use-still-here.ts'
import { useSubmit } from '../../shared/use-submit.ts'
import { texts } from '../../texts.ts'
import { allFields, formFields } from './link-form/form-fields.ts'
import { LinkForm } from './link-form/link-form.tsx'
import { Unsaved } from './link-form/unsaved.tsx'
import { valuesOf } from './link-form/values.ts'
import classes from './link-page.module.css'

/** Make a link, with all that a link can have. */
export function NewLinkPage() {
  const { data: manifest } = useSuspenseQuery(manifestQuery)
  const [fields] = useState(() => formFields(manifest, 'create'))
  const [empty] = useState(() => valuesOf(allFields(fields)))
  const [make] = useState(() => sendOnce(makeLink))
  const navigate = useNavigate()
  const isHere = useStillHere()
  const queryClient = useQueryClient()
  const state = useFieldForm(empty)
  const { submit, isPending, problem } = useSubmit(
    state.form,
    values => make({ ...changeOf(empty, values), original_url: values.original_url }),
    async ({ shortUrl }) => {
      state.rebase(state.form.getValues())
      await queryClient.invalidateQueries({ queryKey: linksKey })
      notifyDone(texts.newLink.made(shortUrl))
      if (isHere()) await navigate({ to: '/links' })
    },
  )
  useFocusOn('original_url')

  return (
    <Page title={texts.newLink.title}>
      <div className={classes.narrow}>
        <LinkForm
          fields={fields}
          state={state}
          problem={problem}
          isPending={isPending}
          onSubmit={submit}
        >
          <Button variant="default" renderRoot={props => <PageLink {...props} to="/links" />}>
            {texts.linkForm.cancel}
          </Button>
          <Button type="submit" loading={isPending}>
            {texts.linkForm.submit}
          </Button>
        </LinkForm>
      </div>
      <Unsaved isUnsaved={() => state.form.isDirty()} />
    </Page>
  )
}

/** Where the link leads is why somebody came. */
function useFocusOn(name: string): void {
  useEffect(
    () => document.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.focus(),
    [name],
  )
}
