import { Button, Stack, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type Domain, domainsQuery } from '../../api/domains.ts'
import { useFeature } from '../../api/manifest.ts'
import { Empty } from '../../shared/empty.tsx'
import { IconPlus, IconWorld } from '../../shared/icons.ts'
import { MoreButton } from '../../shared/more-button.tsx'
import { Note } from '../../shared/note.tsx'
import { Page } from '../../shared/page.tsx'
import { Rows } from '../../shared/rows.tsx'
import { TryAgain } from '../../shared/try-again.tsx'
import { useDialog } from '../../shared/use-dialog.ts'
import { texts } from '../../texts.ts'
import { DomainCard } from './domain-card.tsx'
import { DomainDialog } from './domain-dialog.tsx'

/** Every host of the account's own: to add, verify, lead on and delete. */
export function DomainsPage() {
  const { data, error, refetch, ...paging } = useInfiniteQuery(domainsQuery)
  const isOn = useFeature('organization.customDomains') === 'on'
  const dialog = useDialog<Domain>()
  const isEmpty = data?.total === 0
  const add = (
    <Button leftSection={<IconPlus size={18} />} disabled={!isOn} onClick={() => dialog.open()}>
      {texts.domains.add}
    </Button>
  )

  return (
    <Page title={texts.domains.title} lead={texts.domains.lead} actions={!isEmpty && add}>
      <Note text={isOn ? undefined : texts.allowance.barred} />
      {!data ? (
        error ? (
          <TryAgain error={error} onRetry={refetch} />
        ) : (
          <Rows />
        )
      ) : isEmpty ? (
        <Empty
          icon={<IconWorld size={40} stroke={1.5} />}
          heading={texts.domains.emptyHeading}
          lead={texts.domains.emptyLead}
        >
          {add}
        </Empty>
      ) : (
        <>
          <VisuallyHidden component="h2">{texts.domains.list}</VisuallyHidden>
          <Stack>
            {data.items.map(domain => (
              <DomainCard
                key={domain.id}
                domain={domain}
                {...(isOn && { onEdit: () => dialog.open(domain) })}
              />
            ))}
          </Stack>
          <MoreButton {...paging} />
        </>
      )}
      <DomainDialog domain={dialog.subject} isOpen={dialog.isOpen} onClose={dialog.close} />
    </Page>
  )
}
