import { Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { sendOnce } from '../../../api/client/send-once.ts'
import { makeLink } from '../../../api/links/link-form.ts'
import { AddressInput } from '../../../shared/forms/address-input.tsx'
import { useFocusFirst } from '../../../shared/forms/use-focus-first.ts'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { FormProblem } from '../../../shared/notices/form-problem.tsx'
import { texts } from '../../../texts.ts'
import { useHandOver } from './use-hand-over.ts'

/** Creates a link from an original URL alone. */
export function FirstLinkForm() {
  const first = useFocusFirst()
  const [make] = useState(() => sendOnce(makeLink))
  const form = useForm({ initialValues: { original_url: '' } })
  const { submit, isPending, problem } = useSubmit(form, make, useHandOver())

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormProblem problem={problem} />
        <AddressInput
          ref={first}
          label={texts.newLink.originalUrl}
          description={texts.newLink.originalUrlHint}
          placeholder="https://example.com/a/long/address"
          required
          {...form.getInputProps('original_url')}
        />
        <Button type="submit" loading={isPending}>
          {texts.newLink.submit}
        </Button>
      </Stack>
    </form>
  )
}
