import { Button, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useFeature } from '../../api/manifest.ts'
import { profileQuery } from '../../api/profile.ts'
import { type Token, tokensQuery } from '../../api/tokens.ts'
import { CodeBlock } from '../../shared/code-block.tsx'
import { Empty } from '../../shared/empty.tsx'
import { IconKey, IconPlus } from '../../shared/icons.ts'
import { MoreButton } from '../../shared/more-button.tsx'
import { Note } from '../../shared/note.tsx'
import { Page } from '../../shared/page.tsx'
import { Rows } from '../../shared/rows.tsx'
import classes from '../../shared/things.module.css'
import { TryAgain } from '../../shared/try-again.tsx'
import { useDialog } from '../../shared/use-dialog.ts'
import { texts } from '../../texts.ts'
import { createCommand } from './command.ts'
import { TokenDialog } from './token-dialog.tsx'
import { TokenRow } from './token-row.tsx'

/** Every API token of the account: to make, change and revoke. */
export function TokensPage() {
  const { data, error, refetch, ...paging } = useInfiniteQuery(tokensQuery)
  const reason = useReason()
  const dialog = useDialog<Token>()
  const isEmpty = data?.total === 0
  const add = (
    <Button
      leftSection={<IconPlus size={18} />}
      disabled={reason !== undefined}
      onClick={() => dialog.open()}
    >
      {texts.tokens.create}
    </Button>
  )

  return (
    <Page title={texts.tokens.title} lead={texts.tokens.lead} actions={!isEmpty && add}>
      <Note text={reason} />
      {!data ? (
        error ? (
          <TryAgain error={error} onRetry={refetch} />
        ) : (
          <Rows />
        )
      ) : isEmpty ? (
        <Empty
          icon={<IconKey size={40} stroke={1.5} />}
          heading={texts.tokens.emptyHeading}
          lead={texts.tokens.emptyLead}
        >
          <CodeBlock code={createCommand('lnt_…')} copyLabel={texts.tokens.copyCommand} />
          {add}
        </Empty>
      ) : (
        <>
          <VisuallyHidden component="h2">{texts.tokens.list}</VisuallyHidden>
          <ul className={classes.list}>
            {data.items.map(token => (
              <TokenRow key={token.id} token={token} {...(!reason && { onEdit: dialog.open })} />
            ))}
          </ul>
          <MoreButton {...paging} />
        </>
      )}
      <TokenDialog token={dialog.subject} isOpen={dialog.isOpen} onClose={dialog.close} />
    </Page>
  )
}

/** Why no token can be made, if none can. */
function useReason(): string | undefined {
  const { data: profile } = useSuspenseQuery(profileQuery)
  const feature = useFeature('developer.apiKeys')
  if (!profile.features.apiAccessEnabled) return texts.tokens.switchedOff
  return feature === 'on' ? undefined : texts.tokens.barred
}
