import { PasswordInput, Select, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useSuspenseQuery } from '@tanstack/react-query'
import { profileKey, profileQuery } from '../../../api/account/profile.ts'
import { type Account, accountsKey } from '../../../api/admin/accounts.ts'
import { manifestQuery } from '../../../api/instance/manifest.ts'
import { DialogForm } from '../../../shared/forms/dialog-form.tsx'
import { useFocusFirst } from '../../../shared/forms/use-focus-first.ts'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { useRefresh } from '../../../shared/page/use-refresh.ts'
import { adminTexts } from '../../../texts/admin.ts'
import { usePlanChoices } from '../use-plan-choices.ts'

interface Values {
  readonly email: string
  readonly full_name: string | null
  readonly password: string
  readonly plan: string
  readonly is_admin: boolean
}

export interface AccountFormProps<Sent extends Account> {
  /** What is changed; undefined for a new one. */
  readonly account?: Account
  readonly submitLabel: string
  send(values: Values): Promise<Sent>
  onDone(account: Sent): void
}

const words = adminTexts.accounts

/** The form for who somebody is and what they may do. */
export function AccountForm<Sent extends Account>({
  account,
  submitLabel,
  send,
  onDone,
}: AccountFormProps<Sent>) {
  const refresh = useRefresh()
  const first = useFocusFirst()
  const plans = usePlanChoices(account?.plan)
  const { data: profile } = useSuspenseQuery(profileQuery)
  // Admins change their own password in their settings, and cannot take their own rights.
  const isOwn = account?.id === profile.id
  const form = useForm({
    initialValues: {
      email: account?.email ?? '',
      full_name: account?.fullName ?? '',
      password: '',
      plan: account?.plan ?? 'unlimited',
      is_admin: account?.isAdmin ?? false,
    },
  })
  const sending = useSubmit(
    form,
    values => send({ ...values, full_name: values.full_name.trim() || null }),
    async changed => {
      // It may be the account that is signed in.
      await refresh(accountsKey, profileKey, manifestQuery.queryKey)
      onDone(changed)
    },
  )

  return (
    <DialogForm {...sending} submitLabel={submitLabel}>
      <TextInput
        ref={account ? undefined : first}
        data-autofocus={account ? undefined : true}
        label={words.email}
        description={account && words.emailHint}
        type="email"
        autoComplete="off"
        readOnly={account !== undefined}
        required
        {...form.getInputProps('email')}
      />
      <TextInput
        ref={account ? first : undefined}
        data-autofocus={account ? true : undefined}
        label={words.fullName}
        maxLength={100}
        autoComplete="off"
        {...form.getInputProps('full_name')}
      />
      {!isOwn && (
        <PasswordInput
          label={account ? words.newPassword : words.password}
          description={account ? words.newPasswordHint : words.passwordHint}
          autoComplete="new-password"
          minLength={12}
          {...form.getInputProps('password')}
        />
      )}
      <Select
        label={words.plan}
        data={plans}
        allowDeselect={false}
        {...form.getInputProps('plan')}
      />
      {!isOwn && (
        <Switch
          label={words.isAdmin}
          description={words.isAdminHint}
          {...form.getInputProps('is_admin', { type: 'checkbox' })}
        />
      )}
    </DialogForm>
  )
}
