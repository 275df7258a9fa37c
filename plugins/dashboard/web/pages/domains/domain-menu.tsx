import { Menu } from '@mantine/core'
import { type Domain, deleteDomain, domainsKey } from '../../api/links/domains.ts'
import { DeleteItem, EditItem, RowMenu } from '../../shared/lists/row-menu.tsx'
import { useDelete } from '../../shared/lists/use-delete.ts'
import { formatNumber } from '../../shared/text/format.ts'
import { domainsTexts } from '../../texts/domains.ts'

export interface DomainProps {
  readonly domain: Domain
  /** Undefined if domains cannot be changed. */
  readonly onEdit: (() => void) | undefined
}

/** The actions for a domain. One with links cannot be deleted, and the menu says so. */
export function DomainMenu({ domain, onEdit }: DomainProps) {
  const { host, linksCount } = domain
  const isInUse = linksCount > 0
  return (
    <RowMenu label={domainsTexts.actionsOf(host)} width={isInUse ? '17rem' : undefined}>
      <EditItem label={domainsTexts.edit} onClick={onEdit} />
      <DeleteItem isDisabled={isInUse} onClick={useDeleteDomain(domain)} />
      {isInUse && (
        <Menu.Label>{domainsTexts.inUse(linksCount, formatNumber(linksCount))}</Menu.Label>
      )}
    </RowMenu>
  )
}

function useDeleteDomain({ id, host }: Domain): () => void {
  return useDelete({
    title: domainsTexts.deleteHeading(host),
    text: domainsTexts.deleteWarning,
    send: () => deleteDomain(id),
    done: domainsTexts.deleted(host),
    changes: [domainsKey],
  })
}
