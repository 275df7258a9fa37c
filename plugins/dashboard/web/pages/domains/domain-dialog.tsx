import {
  addDomain,
  type Domain,
  domainsKey,
  readDomain,
  updateDomain,
} from '../../api/links/domains.ts'
import { EditDialog } from '../../shared/forms/edit-dialog.tsx'
import { notifyDone } from '../../shared/notices/notify.ts'
import { domainsTexts } from '../../texts/domains.ts'
import { texts } from '../../texts.ts'
import { DomainForm } from './domain-form.tsx'

export interface DomainDialogProps {
  /** What is edited; undefined for a new one. */
  readonly domain: Domain | undefined
  readonly isOpen: boolean
  onClose(): void
}

/** Adds a host, or changes where it redirects when the path is not a link. */
export function DomainDialog({ domain, isOpen, onClose }: DomainDialogProps) {
  return (
    <EditDialog
      opened={isOpen}
      onClose={onClose}
      title={domain ? domainsTexts.editOf(domain.host) : domainsTexts.create}
      subject={domain}
      kind={domainsKey}
      read={readDomain}
      height={240}
      add={
        <DomainForm
          submitLabel={domainsTexts.submit}
          send={addDomain}
          onDone={({ host }) => {
            notifyDone(domainsTexts.added(host))
            onClose()
          }}
        />
      }
    >
      {(current, save) => (
        <DomainForm
          domain={current}
          submitLabel={texts.common.save}
          send={({ host, ...leading }) => save(etag => updateDomain(current.id, leading, etag))}
          onDone={onClose}
        />
      )}
    </EditDialog>
  )
}
