import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import { aboveIsThere } from '../shared/dialogs/above-page.ts'

/** Where dialogs and notifications that are opened by a function call are rendered. */
export function Layers() {
  useEffect(aboveIsThere, [])
  return (
    <>
      <ModalsProvider />
      <Notifications position="bottom-right" />
    </>
  )
}
