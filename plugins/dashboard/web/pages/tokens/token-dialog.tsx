import { useState } from 'react'
import {
  createToken,
  type MadeToken,
  readToken,
  type Token,
  tokensKey,
  updateToken,
} from '../../api/account/tokens.ts'
import { EditDialog } from '../../shared/forms/edit-dialog.tsx'
import { tokensTexts } from '../../texts/tokens.ts'
import { texts } from '../../texts.ts'
import { MadeTokenPanel } from './made-token.tsx'
import { TokenForm } from './token-form.tsx'

export interface TokenDialogProps {
  /** What is edited; undefined for a new one. */
  readonly token: Token | undefined
  readonly isOpen: boolean
  onClose(): void
}

/** Creates a token and shows it once, or changes one. */
export function TokenDialog({ token, isOpen, onClose }: TokenDialogProps) {
  const [made, setMade] = useState<MadeToken>()
  const title = made ? tokensTexts.madeHeading : token ? tokensTexts.edit : tokensTexts.create
  return (
    <EditDialog
      opened={isOpen}
      onClose={onClose}
      onExitTransitionEnd={() => setMade(undefined)}
      // A misplaced click must not lose what cannot be shown again.
      closeOnClickOutside={!made}
      closeOnEscape={!made}
      size="lg"
      title={title}
      subject={token}
      kind={tokensKey}
      read={readToken}
      height={480}
      add={
        made ? (
          <MadeTokenPanel token={made} onClose={onClose} />
        ) : (
          <TokenForm submitLabel={tokensTexts.submit} send={createToken} onDone={setMade} />
        )
      }
    >
      {(current, save) => (
        <TokenForm
          token={current}
          submitLabel={texts.common.save}
          send={body => save(etag => updateToken(current.id, body, etag))}
          onDone={onClose}
        />
      )}
    </EditDialog>
  )
}
