import { Suspense, useState, useSyncExternalStore } from 'react'
import { askingNow, watchAsking } from '../../api/client/asked-proof.ts'
import { part } from '../../shared/dialogs/late.ts'

const ProofDialog = part(async () => (await import('./proof-dialog.tsx')).ProofDialog)

/** Shows the dialog that asks who is at the browser above every page, once a request wants to know. */
export function AskedProof() {
  const asking = useSyncExternalStore(watchAsking, askingNow)
  const [wasAsked, setWasAsked] = useState(false)
  if (asking && !wasAsked) setWasAsked(true)
  return (
    wasAsked && (
      <Suspense>
        <ProofDialog asking={asking} />
      </Suspense>
    )
  )
}
