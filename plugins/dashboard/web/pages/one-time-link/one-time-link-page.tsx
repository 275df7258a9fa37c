import {
  Anchor,
  Button,
  Divider,
  PasswordInput,
  Skeleton,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import {
  acceptBy,
  choosePassword,
  type OpenedLink,
  openOneTimeLink,
} from '../../api/account/one-time-links.ts'
import { isStep, sessionQuery } from '../../api/account/session.ts'
import { isProblem } from '../../api/client/problem.ts'
import type { StepDue } from '../../api/client/second-step.ts'
import { useFocusFirst } from '../../shared/forms/use-focus-first.ts'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { FormProblem } from '../../shared/notices/form-problem.tsx'
import { messageOf } from '../../shared/notices/notify.ts'
import { SecondStep } from '../../shared/sign-in/second-step.tsx'
import { Door } from '../../shell/brand/door.tsx'
import { oneTimeLinkTexts } from '../../texts/one-time-link.ts'
import { signInTexts } from '../../texts/settings.ts'
import { texts } from '../../texts.ts'

/** The page that a one-time link opens: its holder chooses the password of an account and is signed in. */
export function OneTimeLinkPage() {
  const secret = useLocation({ select: ({ hash }) => hash })
  const opened = useQuery({
    queryKey: ['one-time-link', secret],
    queryFn: () => openOneTimeLink(secret),
    retry: false,
    // Reading the link again must not use up attempts.
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (opened.data) return <Choose secret={secret} of={opened.data} />
  if (!opened.error) {
    return (
      <Door title={oneTimeLinkTexts.title} heading={oneTimeLinkTexts.title}>
        <Skeleton height={160} />
      </Door>
    )
  }
  const isOver = isProblem(opened.error, 'invalid_one_time_link')
  return (
    <Door
      title={oneTimeLinkTexts.title}
      heading={isOver ? oneTimeLinkTexts.over : oneTimeLinkTexts.failed}
    >
      <Stack>
        <Text role="alert">{messageOf(opened.error)}</Text>
        {isOver ? (
          <Anchor component={Link} to="/sign-in">
            {oneTimeLinkTexts.signIn}
          </Anchor>
        ) : (
          <Button variant="default" onClick={() => opened.refetch()}>
            {texts.common.retry}
          </Button>
        )}
      </Stack>
    </Door>
  )
}

function Choose({ secret, of }: { readonly secret: string; readonly of: OpenedLink }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const first = useFocusFirst()
  const [due, setDue] = useState<StepDue>()
  const form = useForm({ initialValues: { password: '' } })
  const { submit, isPending, problem } = useSubmit(
    form,
    ({ password }) => choosePassword({ secret, password }),
    result => (isStep(result) ? setDue(result) : finish()),
  )
  function finish() {
    queryClient.clear()
    return navigate({ to: '/links', replace: true })
  }

  if (due) {
    return (
      <Door title={oneTimeLinkTexts.title} heading={due.label}>
        {/* The password is set by now. */}
        <SecondStep
          key={due.ticket}
          due={due}
          onDone={finish}
          onNext={setDue}
          onBack={() => navigate({ to: '/sign-in', replace: true })}
        />
      </Door>
    )
  }
  return (
    <Door
      title={oneTimeLinkTexts.title}
      heading={of.hasPassword ? oneTimeLinkTexts.heading : oneTimeLinkTexts.welcome(of.fullName)}
      lead={of.hasPassword ? oneTimeLinkTexts.lead : oneTimeLinkTexts.welcomeLead}
    >
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <TextInput
            label={oneTimeLinkTexts.email}
            autoComplete="username"
            value={of.email}
            readOnly
          />
          <PasswordInput
            ref={first}
            label={oneTimeLinkTexts.password}
            description={oneTimeLinkTexts.passwordHint}
            autoComplete="new-password"
            minLength={12}
            required
            {...form.getInputProps('password')}
          />
          <Button type="submit" loading={isPending} fullWidth>
            {oneTimeLinkTexts.submit}
          </Button>
        </Stack>
      </form>
      {!of.hasPassword && <Elsewhere secret={secret} />}
    </Door>
  )
}

/** Accepts an invitation at another server, for which the browser leaves. */
function Elsewhere({ secret }: { readonly secret: string }) {
  const { data: session } = useQuery(sessionQuery)
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: acceptBy,
    onSuccess: url => location.assign(url),
    meta: { showsProblem: true },
  })
  if (!session || session.providers.length === 0) return null
  return (
    <Stack mt="md">
      <Divider label={signInTexts.or} />
      <FormProblem problem={error ? messageOf(error) : undefined} />
      {session.providers.map(({ feature, name, label }) => (
        <Button
          key={`${feature} ${name}`}
          variant="default"
          fullWidth
          loading={isPending || isSuccess}
          onClick={() => mutate({ secret, feature, name })}
        >
          {signInTexts.with(label)}
        </Button>
      ))}
    </Stack>
  )
}
