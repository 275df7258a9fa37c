import { Button, PasswordInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { createToken, type NewToken, tokensKey } from '../../../api/account/tokens.ts'
import { useFeature } from '../../../api/instance/manifest.ts'
import { notifyDone } from '../../../shared/notices/notify.ts'
import { useRefresh } from '../../../shared/page/use-refresh.ts'
import { apiTexts } from '../../../texts/api.ts'
import { useGrantable } from '../scopes.ts'
import classes from './token-field.module.css'

export interface TokenFieldProps {
  readonly token: string
  onChange(token: string): void
}

/** How long a token created here lasts, in milliseconds. */
const lastsMs = 3_600_000

/** The token for the requests: typed, or created for this page. Only this page remembers it. */
export function TokenField({ token, onChange }: TokenFieldProps) {
  const refresh = useRefresh()
  const { resources } = useGrantable()
  const canMake = useFeature('developer.apiKeys') === 'on'
  const make = useMutation({
    mutationFn: () => {
      const scopes = resources.map(({ key, hasWrites }) => `${key}:${hasWrites ? 'write' : 'read'}`)
      return createToken({
        name: apiTexts.tokenName,
        scopes: ['profile:read', ...scopes] as NewToken['scopes'],
        expires_at: new Date(Date.now() + lastsMs).toISOString(),
      })
    },
    async onSuccess(made) {
      onChange(made.token)
      notifyDone(apiTexts.made)
      await refresh(tokensKey)
    },
  })
  return (
    <div className={classes.token}>
      <PasswordInput
        label={apiTexts.token}
        description={apiTexts.tokenHint}
        placeholder="lnt_…"
        autoComplete="off"
        spellCheck={false}
        value={token}
        onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
      />
      <Button
        variant="default"
        disabled={!canMake}
        loading={make.isPending}
        onClick={() => make.mutate()}
      >
        {apiTexts.make}
      </Button>
    </div>
  )
}
