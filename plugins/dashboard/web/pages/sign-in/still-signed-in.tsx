import { Button, Stack } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { FormProblem } from '../../shared/notices/form-problem.tsx'
import { settingsTexts } from '../../texts/settings.ts'

/** Somebody who wanted to prove again who is signed in could not, and is signed in as before. */
export function StillSignedIn({
  problem,
  next,
}: {
  readonly problem: string | undefined
  readonly next: string
}) {
  const router = useRouter()
  return (
    <Stack>
      <FormProblem problem={problem} />
      <Button fullWidth onClick={() => router.navigate({ href: next, replace: true })}>
        {settingsTexts.askedPasswordSubmit}
      </Button>
    </Stack>
  )
}
