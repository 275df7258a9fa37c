import { Button, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { type NewToken, type Token, tokensKey } from '../../api/tokens.ts'
import { FormProblem } from '../../shared/form-problem.tsx'
import { useFocusFirst } from '../../shared/use-focus-first.ts'
import { useSubmit } from '../../shared/use-submit.ts'
import { texts } from '../../texts.ts'
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

/** What a token is for, what it may do and how long it lasts. */
export function TokenForm<Result>({ token, submitLabel, send, onDone }: TokenFormProps<Result>) {
  const queryClient = useQueryClient()
  const first = useFocusFirst()
  const form = useForm<Values>({
    initialValues: {
      name: token?.name ?? '',
      scopes: token?.scopes ?? ['links:write'],
      expires_at: token ? 'kept' : '90',
    },
  })
  const { submit, isPending, problem } = useSubmit(
    form,
    ({ name, scopes, expires_at }) => {
      const expiresAt = expiryOf(expires_at)
      const expiry = expiresAt === undefined ? {} : { expires_at: expiresAt }
      return send({ name, scopes: [...scopes], ...expiry })
    },
    async result => {
      await queryClient.invalidateQueries({ queryKey: tokensKey })
      onDone(result)
    },
  )
  const { name, scopes, expires_at } = form.values

  return (
    <form onSubmit={submit}>
      <Stack>
        <FormProblem problem={problem} />
        <TextInput
          ref={first}
          data-autofocus
          label={texts.tokens.name}
          description={texts.tokens.nameHint}
          maxLength={100}
          autoComplete="off"
          required
          {...form.getInputProps('name')}
        />
        <ScopesField
          value={scopes}
          error={form.errors.scopes}
          onChange={chosen => form.setFieldValue('scopes', chosen)}
        />
        <Select
          label={texts.tokens.expires}
          description={expires_at === 'never' && texts.tokens.neverHint}
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
