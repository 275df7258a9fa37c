import { useState } from 'react'
import {
  createToken,
  type MadeToken,
  readToken,
  type Token,
  tokensKey,
  updateToken,
} from '../../api/tokens.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { useVersion } from '../../shared/use-version.ts'
import { Versioned } from '../../shared/versioned.tsx'
import { texts } from '../../texts.ts'
import { MadeTokenPanel } from './made-token.tsx'
import { TokenForm } from './token-form.tsx'

export interface TokenDialogProps {
  /** What is edited; undefined for a new one. */
  readonly token: Token | undefined
  readonly isOpen: boolean
  onClose(): void
}

/** Make a token and show it once, or change one. */
export function TokenDialog({ token, isOpen, onClose }: TokenDialogProps) {
  const [made, setMade] = useState<MadeToken>()
  const title = made ? texts.tokens.madeHeading : token ? texts.tokens.edit : texts.tokens.create
  return (
    <Dialog
      opened={isOpen}
      onClose={onClose}
      onExitTransitionEnd={() => setMade(undefined)}
      // A slip must not lose what cannot be shown again.
      closeOnClickOutside={!made}
      closeOnEscape={!made}
      size="lg"
      title={title}
    >
      {made ? (
        <MadeTokenPanel token={made} onClose={onClose} />
      ) : token ? (
        <EditToken id={token.id} onDone={onClose} />
      ) : (
        <TokenForm submitLabel={texts.tokens.submit} send={createToken} onDone={setMade} />
      )}
    </Dialog>
  )
}

function EditToken({ id, onDone }: { readonly id: string; onDone(): void }) {
  const current = useVersion([...tokensKey, id], () => readToken(id))
  return (
    <Versioned of={current} height={480}>
      {token => (
        <TokenForm
          token={token}
          submitLabel={texts.common.save}
          send={body => current.save(etag => updateToken(id, body, etag))}
          onDone={onDone}
        />
      )}
    </Versioned>
  )
}
