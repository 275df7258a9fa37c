import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type BlockedLink, blockedLinksKey, releaseLink } from '../../../api/admin/blocked-links.ts'
import { linksKey } from '../../../api/links/links.ts'
import { confirm } from '../../../shared/dialogs/confirm.ts'
import things from '../../../shared/lists/things.module.css'
import { notifyDone } from '../../../shared/notices/notify.ts'
import { useRefresh } from '../../../shared/page/use-refresh.ts'
import { formatAgo } from '../../../shared/text/format.ts'
import { adminTexts } from '../../../texts/admin.ts'
import classes from './blocked-link-row.module.css'

const words = adminTexts.blockedLinks

/** A blocked link with the address that blocks it, as plain text, because following it may do harm. */
export function BlockedLinkRow({ blocked }: { readonly blocked: BlockedLink }) {
  const { shortUrl, address, reason, foundAt } = blocked
  const { release, isPending } = useRelease(blocked)
  return (
    <li className={classes.row}>
      <div className={things.what}>
        <div className={things.name}>{shortUrl ?? words.gone}</div>
        <div className={classes.address}>{address}</div>
        <div className={things.about}>
          {reason} · {words.found(formatAgo(foundAt))}
        </div>
      </div>
      {shortUrl && (
        <Button
          variant="default"
          size="sm"
          loading={isPending}
          aria-label={words.releaseOf(shortUrl)}
          onClick={() => release(shortUrl)}
        >
          {words.release}
        </Button>
      )}
    </li>
  )
}

function useRelease({ id }: BlockedLink) {
  const refresh = useRefresh()
  const { mutate, isPending } = useMutation({
    mutationFn: (_: string) => releaseLink(id),
    onSuccess: (_, shortUrl) => notifyDone(words.released(shortUrl)),
    onSettled: () => refresh(blockedLinksKey, linksKey),
  })
  const release = (shortUrl: string) =>
    confirm({
      title: words.releaseHeading,
      text: words.releaseWarning(shortUrl),
      confirm: words.release,
      onConfirm: () => mutate(shortUrl),
    })
  return { release, isPending }
}
