import { profileKey } from '../../api/account/profile.ts'
import { type Campaign, campaignsKey, deleteCampaign } from '../../api/links/campaigns.ts'
import { linksKey } from '../../api/links/links.ts'
import { useDelete } from '../../shared/lists/use-delete.ts'
import { formatNumber } from '../../shared/text/format.ts'
import { campaignsTexts } from '../../texts/campaigns.ts'

/** Deletes a campaign after a dialog has said what happens to its links. */
export function useDeleteCampaign(
  { id, name, linksCount }: Campaign,
  onDone: () => unknown = () => undefined,
): () => void {
  return useDelete({
    title: campaignsTexts.deleteHeading(name),
    text: campaignsTexts.deleteWarning(linksCount, formatNumber(linksCount)),
    send: () => deleteCampaign(id),
    done: campaignsTexts.deleted(name),
    changes: [campaignsKey, linksKey, profileKey],
    onDone,
  })
}
