import { Button } from '@mantine/core'
import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { profileQuery } from '../../api/account/profile.ts'
import { type Token, tokensQuery } from '../../api/account/tokens.ts'
import { useFeature } from '../../api/instance/manifest.ts'
import { CodeBlock } from '../../shared/copy/code-block.tsx'
import { useDialog } from '../../shared/dialogs/use-dialog.ts'
import { IconKey } from '../../shared/icons/icons.ts'
import { ListPage } from '../../shared/lists/list-page.tsx'
import { apiTexts } from '../../texts/api.ts'
import { appsTexts, tokensTexts } from '../../texts/tokens.ts'
import { snippets } from './apps/snippets.ts'
import { TokenDialog } from './token-dialog.tsx'
import { TokenRow } from './token-row.tsx'

/** All API tokens of the account: create, change and revoke them. */
export function TokensPage() {
  const reason = useReason()
  const dialog = useDialog<Token>()
  return (
    <ListPage
      of={useInfiniteQuery(tokensQuery)}
      words={tokensTexts}
      icon={IconKey}
      reason={reason}
      canAdd={reason === undefined}
      aside={
        <>
          <Button variant="default" renderRoot={props => <Link {...props} to="/tokens/apps" />}>
            {appsTexts.title}
          </Button>
          <Button variant="default" renderRoot={props => <Link {...props} to="/tokens/api" />}>
            {apiTexts.open}
          </Button>
        </>
      }
      onAdd={() => dialog.open()}
      row={token => (
        <TokenRow
          key={token.id}
          token={token}
          onEdit={reason === undefined ? () => dialog.open(token) : undefined}
        />
      )}
      example={<CodeBlock code={example} copyLabel={tokensTexts.copyCommand} />}
    >
      <TokenDialog token={dialog.subject} isOpen={dialog.isOpen} onClose={dialog.close} />
    </ListPage>
  )
}

const example = snippets.curl({ origin: window.location.origin, token: 'lnt_…' })

/** Why no token can be created, if that is so. */
function useReason(): string | undefined {
  const { data: profile } = useSuspenseQuery(profileQuery)
  const feature = useFeature('developer.apiKeys')
  if (!profile.features.apiAccessEnabled) return tokensTexts.switchedOff
  return feature === 'on' ? undefined : tokensTexts.barred
}
