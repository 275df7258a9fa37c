import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import { aboveIsThere } from '../shared/dialogs/above-page.ts'

/** Where the dialogs and notifications are that are opened by a call. */
export function Layers() {
  useEffect(aboveIsThere, [])
  return (
    <>
      <ModalsProvider />
      <Notifications position="bottom-right" />
    </>
  )
}
