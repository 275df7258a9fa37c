import { Button, Modal } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Suspense } from 'react'
import { useFeature } from '../../../api/instance/manifest.ts'
import { part } from '../../../shared/dialogs/late.ts'
import { IconWorld } from '../../../shared/icons/icons.ts'
import { Rows } from '../../../shared/lists/rows.tsx'
import { analyticsTexts } from '../../../texts/analytics.ts'
import { texts } from '../../../texts.ts'

// Most people keep their analytics to themselves.
const PublicPageForm = part(async () => (await import('./public-page-form.tsx')).PublicPageForm)

/** Makes the analytics of a link, tag or campaign public. */
export function ShareButton({ of }: { readonly of: string }) {
  const [isOpen, { open, close }] = useDisclosure(false)
  if (useFeature('analytics.publicNumbers') !== 'on') return null
  return (
    <>
      <Button variant="default" leftSection={<IconWorld size={17} />} onClick={open}>
        {analyticsTexts.share}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={analyticsTexts.publicPage}
        closeButtonProps={{ 'aria-label': texts.common.close }}
      >
        <Suspense fallback={<Rows />}>
          <PublicPageForm of={of} />
        </Suspense>
      </Modal>
    </>
  )
}
