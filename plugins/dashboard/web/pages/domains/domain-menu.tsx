import { ActionIcon, Menu } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Domain, deleteDomain, domainsKey } from '../../api/domains.ts'
import { confirm } from '../../shared/confirm.ts'
import { formatNumber } from '../../shared/format.ts'
import { IconDots, IconPencil, IconTrash } from '../../shared/icons.ts'
import { notifyDone } from '../../shared/notify.ts'
import { texts } from '../../texts.ts'

export interface DomainMenuProps {
  readonly domain: Domain
  readonly onEdit?: () => void
}

/** What can be done with a domain; with links on it there is no way to delete it, and that is said. */
export function DomainMenu({ domain, onEdit }: DomainMenuProps) {
  const { host, linksCount } = domain
  const remove = useRemove(domain)
  return (
    <Menu position="bottom-end" width={linksCount > 0 ? '17rem' : undefined}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          c="dimmed"
          size="lg"
          aria-label={texts.domains.actionsOf(host)}
        >
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {onEdit && (
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={onEdit}>
            {texts.domains.edit}
          </Menu.Item>
        )}
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={16} />}
          disabled={linksCount > 0}
          onClick={remove}
        >
          {texts.common.delete}
        </Menu.Item>
        {linksCount > 0 && (
          <Menu.Label>{texts.domains.inUse(linksCount, formatNumber(linksCount))}</Menu.Label>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

function useRemove({ id, host }: Domain): () => void {
  const queryClient = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: () => deleteDomain(id),
    onSuccess: () => notifyDone(texts.domains.deleted(host)),
    // A refusal says that there are links on it since the list was read.
    onSettled: () => queryClient.invalidateQueries({ queryKey: domainsKey }),
  })
  return () =>
    confirm({
      title: texts.domains.deleteHeading(host),
      text: texts.domains.deleteWarning,
      onConfirm: mutate,
    })
}
