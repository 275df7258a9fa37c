import { Suspense, useState, useSyncExternalStore } from 'react'
import { askingNow, watchAsking } from '../../api/client/asked-password.ts'
import { part } from '../../shared/dialogs/late.ts'

const PasswordDialog = part(async () => (await import('./password-dialog.tsx')).PasswordDialog)

/** Shows the dialog for the current password above every page, once a step asks for it. */
export function AskedPassword() {
  const asking = useSyncExternalStore(watchAsking, askingNow)
  const [wasAsked, setWasAsked] = useState(false)
  if (asking && !wasAsked) setWasAsked(true)
  return (
    wasAsked && (
      <Suspense>
        <PasswordDialog asking={asking} />
      </Suspense>
    )
  )
}
