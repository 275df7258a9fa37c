import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { manifestQuery, useFeature } from '../../../api/instance/manifest.ts'
import type { LinkVersion } from '../../../api/links/link-form.ts'
import { part } from '../../../shared/dialogs/late.ts'
import { Rows } from '../../../shared/lists/rows.tsx'
import { Page } from '../../../shared/page/page.tsx'
import { withoutScheme } from '../../../shared/text/without-scheme.ts'
import { linkFormTexts } from '../../../texts/link-form.ts'
import { texts } from '../../../texts.ts'
import { Conflict } from '../link-form/conflict.tsx'
import { formFields } from '../link-form/fields/form-fields.ts'
import { LinkForm } from '../link-form/link-form.tsx'
import { Unsaved } from '../link-form/unsaved.tsx'
import { useEdit } from '../link-form/use-edit.ts'
import { LinkActions } from './link-actions.tsx'
import { LinkFacts } from './link-facts.tsx'
import classes from './link-page.module.css'

const LinkPanels = part(async () => (await import('./link-panels.tsx')).LinkPanels)
const QrCard = part(async () => (await import('../link-qr/qr-card.tsx')).QrCard)

/** Edits an existing link. `version` is the newest one; what is typed stays when it changes. */
export function EditLink({ version }: { readonly version: LinkVersion }) {
  const { data: manifest } = useSuspenseQuery(manifestQuery)
  const [fields] = useState(() => formFields(manifest, 'edit'))
  const edit = useEdit(fields, version)
  const { state, link, isPending } = edit
  const panels = manifest.flatMap(({ dashboard }) => dashboard.linkPanel ?? [])
  const hasQr = useFeature('analytics.visitsFromQrCodesTracking') !== 'absent'

  return (
    <Page
      title={withoutScheme(link.shortUrl)}
      // What is computed of a link changes without a new version of it.
      lead={<LinkFacts link={version.link} />}
      actions={<LinkActions link={link} onDelete={edit.discard} />}
    >
      <div className={classes.columns}>
        <LinkForm
          fields={fields}
          state={state}
          link={link}
          problem={edit.problem}
          isPending={isPending}
          onSubmit={edit.submit}
        >
          {state.isDirty && (
            <>
              <p>{linkFormTexts.unsaved}</p>
              <Button variant="default" onClick={edit.discard} disabled={isPending}>
                {linkFormTexts.discard}
              </Button>
              <Button type="submit" loading={isPending}>
                {linkFormTexts.save}
              </Button>
            </>
          )}
        </LinkForm>
        <div className={classes.side} data-sticks={panels.length === 0 || undefined}>
          {hasQr && (
            <aside aria-label={texts.linkQr.heading}>
              <Suspense fallback={<Rows />}>
                <QrCard link={link} />
              </Suspense>
            </aside>
          )}
          {panels.length > 0 && (
            <Suspense fallback={<Rows />}>
              <LinkPanels panels={panels} link={link} />
            </Suspense>
          )}
        </div>
      </div>
      {edit.conflict && (
        <Conflict {...edit.conflict} onClose={edit.closeConflict} onSave={edit.resolve} />
      )}
      <Unsaved isUnsaved={() => state.form.isDirty()} />
    </Page>
  )
}
