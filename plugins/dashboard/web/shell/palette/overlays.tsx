import { useHotkeys } from '@mantine/hooks'
import { Suspense } from 'react'
import { late } from '../../shared/dialogs/late.ts'
import { useShortcuts } from '../../shared/page/use-shortcuts.ts'

/** An overlay above any page. */
export type Overlay = 'palette' | 'keys'

const Palette = late(async () => (await import('./palette.tsx')).Palette)
const KeysDialog = late(async () => (await import('./keys-dialog.tsx')).KeysDialog)

export interface OverlaysProps {
  readonly shown: Overlay | undefined
  onShow(overlay: Overlay | undefined): void
}

/** The palette, opened by Ctrl or Cmd with K, even while typing; the list of shortcuts, opened by a question mark. */
export function Overlays({ shown, onShow }: OverlaysProps) {
  useHotkeys([['mod+K', () => onShow('palette')]], [])
  useHotkeys(useShortcuts([['shift+?', () => onShow('keys')]]))
  const close = () => onShow(undefined)
  return (
    <Suspense>
      {shown === 'palette' && <Palette onClose={close} showKeys={() => onShow('keys')} />}
      {shown === 'keys' && <KeysDialog onClose={close} />}
    </Suspense>
  )
}
