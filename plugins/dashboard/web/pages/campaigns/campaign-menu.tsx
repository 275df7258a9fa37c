import { ActionIcon, Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Campaign } from '../../api/campaigns.ts'
import { IconChartLine, IconDots, IconLink, IconPencil, IconTrash } from '../../shared/icons.ts'
import { texts } from '../../texts.ts'
import { useDelete } from './use-delete.ts'

export interface CampaignMenuProps {
  readonly campaign: Campaign
  readonly onEdit?: () => void
}

/** What can be done with a campaign. */
export function CampaignMenu({ campaign, onEdit }: CampaignMenuProps) {
  const { id, name } = campaign
  const remove = useDelete(campaign)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          c="dimmed"
          size="lg"
          aria-label={texts.campaigns.actionsOf(name)}
        >
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconLink size={16} />}
          renderRoot={props => <Link {...props} to="/links" search={{ campaign: id }} />}
        >
          {texts.campaigns.showLinks}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconChartLine size={16} />}
          renderRoot={props => <Link {...props} to="/campaigns/$id/analytics" params={{ id }} />}
        >
          {texts.campaigns.analytics}
        </Menu.Item>
        {onEdit && (
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={onEdit}>
            {texts.common.edit}
          </Menu.Item>
        )}
        <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={remove}>
          {texts.common.delete}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
