import { Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { makeLink } from '../../../api/link-form.ts'
import { sendOnce } from '../../../api/send-once.ts'
import { AddressInput } from '../../../shared/address-input.tsx'
import { FormProblem } from '../../../shared/form-problem.tsx'
import { useFocusFirst } from '../../../shared/use-focus-first.ts'
import { useSubmit } from '../../../shared/use-submit.ts'
import { texts } from '../../../texts.ts'
import { useHandOver } from './use-hand-over.ts'

/** Make a link of an original URL alone. */
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
