import { Button, Select, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type NewToken, type Token, tokensKey } from '../../api/account/tokens.ts'
import { NameField } from '../../shared/forms/name-field.tsx'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { FormProblem } from '../../shared/notices/form-problem.tsx'
import { useRefresh } from '../../shared/page/use-refresh.ts'
import { tokensTexts } from '../../texts/tokens.ts'
import { ScopesField } from './scopes-field.tsx'
import { type Expiry, expiryOf, expiryOptions } from './token-expiry.ts'

export interface TokenFormProps<Result> {
  /** What is changed; undefined for a new one. */
  readonly token?: Token
  readonly submitLabel: string
  send(body: NewToken): Promise<Result>
  onDone(result: Result): void
}

interface Values {
  readonly name: string
  readonly scopes: readonly string[]
  readonly expires_at: Expiry
}

/** The form for what a token is for, what it may do and how long it lasts. */
export function TokenForm<Result>({ token, submitLabel, send, onDone }: TokenFormProps<Result>) {
  const refresh = useRefresh()
  const form = useForm<Values>({
    initialValues: {
      name: token?.name ?? '',
      scopes: token?.scopes ?? ['links:write'],
      expires_at: token ? 'kept' : '90',
    },
  })
  const { name, scopes, expires_at } = form.values
  const { submit, isPending, problem } = useSubmit(
    form,
    ({ name, scopes, expires_at }) => {
      const expiresAt = expiryOf(expires_at)
      const expiry = expiresAt === undefined ? {} : { expires_at: expiresAt }
      return send({ name, scopes: [...scopes] as NewToken['scopes'], ...expiry })
    },
    async result => {
      await refresh(tokensKey)
      onDone(result)
    },
  )

  return (
    <form onSubmit={submit}>
      <Stack>
        <FormProblem problem={problem} />
        <NameField
          label={tokensTexts.name}
          description={tokensTexts.nameHint}
          {...form.getInputProps('name')}
        />
        <ScopesField
          value={scopes}
          error={form.errors.scopes}
          onChange={chosen => form.setFieldValue('scopes', chosen)}
        />
        <Select
          label={tokensTexts.expires}
          description={expires_at === 'never' && tokensTexts.neverHint}
          data={expiryOptions(token)}
          allowDeselect={false}
          {...form.getInputProps('expires_at')}
        />
        <Button type="submit" loading={isPending} disabled={name === '' || scopes.length === 0}>
          {submitLabel}
        </Button>
      </Stack>
    </form>
  )
}
