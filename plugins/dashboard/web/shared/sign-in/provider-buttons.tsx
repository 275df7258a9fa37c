import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../../api/account/session.ts'
import { signInTexts } from '../../texts/settings.ts'

interface ProviderButtonsProps {
  /** The path of the dashboard to come back to. */
  readonly next: string
  /** Prove again who is signed in, in place of signing in. */
  readonly isProof?: boolean
}

/** The other servers where one can sign in. The browser leaves for them. */
export function ProviderButtons({ next, isProof = false, ...attributes }: ProviderButtonsProps) {
  const { data: session } = useQuery(sessionQuery)
  const query = new URLSearchParams({ next: `/dashboard${next}`, ...(isProof && { proof: '1' }) })
  return session?.providers.map(({ url, label }) => (
    <Button
      key={url}
      component="a"
      href={`${url}?${query}`}
      variant="default"
      fullWidth
      {...attributes}
    >
      {signInTexts.with(label)}
    </Button>
  ))
}
