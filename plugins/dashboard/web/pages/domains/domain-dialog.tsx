import { addDomain, type Domain, domainsKey, readDomain, updateDomain } from '../../api/domains.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { notifyDone } from '../../shared/notify.ts'
import { useVersion } from '../../shared/use-version.ts'
import { Versioned } from '../../shared/versioned.tsx'
import { texts } from '../../texts.ts'
import { DomainForm } from './domain-form.tsx'

export interface DomainDialogProps {
  /** What is edited; undefined for a new one. */
  readonly domain: Domain | undefined
  readonly isOpen: boolean
  onClose(): void
}

/** Add a host, or say where one leads when no link is meant. */
export function DomainDialog({ domain, isOpen, onClose }: DomainDialogProps) {
  return (
    <Dialog
      opened={isOpen}
      onClose={onClose}
      title={domain ? texts.domains.editOf(domain.host) : texts.domains.add}
    >
      {domain ? (
        <EditDomain id={domain.id} onDone={onClose} />
      ) : (
        <DomainForm
          submitLabel={texts.domains.submit}
          send={addDomain}
          onDone={({ host }) => {
            notifyDone(texts.domains.added(host))
            onClose()
          }}
        />
      )}
    </Dialog>
  )
}

function EditDomain({ id, onDone }: { readonly id: string; onDone(): void }) {
  const current = useVersion([...domainsKey, id], () => readDomain(id))
  return (
    <Versioned of={current} height={240}>
      {domain => (
        <DomainForm
          domain={domain}
          submitLabel={texts.common.save}
          send={({ host, ...leading }) => current.save(etag => updateDomain(id, leading, etag))}
          onDone={onDone}
        />
      )}
    </Versioned>
  )
}
