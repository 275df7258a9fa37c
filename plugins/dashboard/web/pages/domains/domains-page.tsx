import { useInfiniteQuery } from '@tanstack/react-query'
import { useFeature } from '../../api/instance/manifest.ts'
import { type Domain, domainsQuery } from '../../api/links/domains.ts'
import { useDialog } from '../../shared/dialogs/use-dialog.ts'
import { IconWorld } from '../../shared/icons/icons.ts'
import { ListPage } from '../../shared/lists/list-page.tsx'
import { domainsTexts } from '../../texts/domains.ts'
import { texts } from '../../texts.ts'
import { DomainCard } from './domain-card.tsx'
import { DomainDialog } from './domain-dialog.tsx'

/** All hosts of the account: add, verify, redirect and delete them. */
export function DomainsPage() {
  const isOn = useFeature('organization.customDomains') === 'on'
  const dialog = useDialog<Domain>()
  return (
    <ListPage
      of={useInfiniteQuery(domainsQuery)}
      isSpaced
      words={domainsTexts}
      icon={IconWorld}
      reason={isOn ? undefined : texts.allowance.barred}
      canAdd={isOn}
      onAdd={() => dialog.open()}
      row={domain => (
        <li key={domain.id}>
          <DomainCard domain={domain} onEdit={isOn ? () => dialog.open(domain) : undefined} />
        </li>
      )}
    >
      <DomainDialog domain={dialog.subject} isOpen={dialog.isOpen} onClose={dialog.close} />
    </ListPage>
  )
}
