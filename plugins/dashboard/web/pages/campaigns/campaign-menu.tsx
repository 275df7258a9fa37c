import { Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Campaign } from '../../api/links/campaigns.ts'
import { IconChartLine, IconLink } from '../../shared/icons/icons.ts'
import { DeleteItem, EditItem, RowMenu } from '../../shared/lists/row-menu.tsx'
import { campaignsTexts } from '../../texts/campaigns.ts'
import { useDeleteCampaign } from './use-delete-campaign.ts'

export interface CampaignProps {
  readonly campaign: Campaign
  /** Undefined if campaigns cannot be changed. */
  readonly onEdit: (() => void) | undefined
}

/** The actions for a campaign. */
export function CampaignMenu({ campaign, onEdit }: CampaignProps) {
  const { id, name } = campaign
  return (
    <RowMenu label={campaignsTexts.actionsOf(name)}>
      <Menu.Item
        leftSection={<IconLink size={16} />}
        renderRoot={props => <Link {...props} to="/links" search={{ campaign: id }} />}
      >
        {campaignsTexts.showLinks}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconChartLine size={16} />}
        renderRoot={props => <Link {...props} to="/campaigns/$id/analytics" params={{ id }} />}
      >
        {campaignsTexts.analytics}
      </Menu.Item>
      <EditItem onClick={onEdit} />
      <DeleteItem onClick={useDeleteCampaign(campaign)} />
    </RowMenu>
  )
}
