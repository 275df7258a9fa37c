import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Campaign, campaignsKey, deleteCampaign } from '../../api/campaigns.ts'
import { linksKey } from '../../api/links.ts'
import { profileKey } from '../../api/profile.ts'
import { confirm } from '../../shared/confirm.ts'
import { formatNumber } from '../../shared/format.ts'
import { notifyDone } from '../../shared/notify.ts'
import { texts } from '../../texts.ts'

/** Delete a campaign, once its owner has read what becomes of its links. */
export function useDelete(
  { id, name, linksCount }: Campaign,
  onDone: () => unknown = () => undefined,
): () => void {
  const queryClient = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: () => deleteCampaign(id),
    async onSuccess() {
      notifyDone(texts.campaigns.deleted(name))
      await onDone()
      await Promise.all(
        [campaignsKey, linksKey, profileKey].map(queryKey =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      )
    },
  })
  return () =>
    confirm({
      title: texts.campaigns.deleteHeading(name),
      text: texts.campaigns.deleteWarning(linksCount, formatNumber(linksCount)),
      onConfirm: mutate,
    })
}
