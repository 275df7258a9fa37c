import { Button, Text } from '@mantine/core'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import {
  type DeletedLink,
  deletedLinksQuery,
  forgetLink,
  restoreLink,
} from '../../../api/links/deleted-links.ts'
import { linksKey } from '../../../api/links/links.ts'
import { openDialog } from '../../../shared/dialogs/open-dialog.ts'
import { IconRestore } from '../../../shared/icons/icons.ts'
import { LongList } from '../../../shared/lists/long-list.tsx'
import { DeleteItem, RowMenu } from '../../../shared/lists/row-menu.tsx'
import classes from '../../../shared/lists/things.module.css'
import { useDelete } from '../../../shared/lists/use-delete.ts'
import { notifyDone } from '../../../shared/notices/notify.ts'
import { useRefresh } from '../../../shared/page/use-refresh.ts'
import { formatAgo, formatDate, formatMoment, formatNumber } from '../../../shared/text/format.ts'
import { deletedLinksTexts } from '../../../texts/bulk.ts'
import { texts } from '../../../texts.ts'

/** Shows the deleted links that can be restored. */
export function showDeleted(): void {
  openDialog(deletedLinksTexts.heading, () => <DeletedLinks />)
}

function DeletedLinks() {
  const query = useInfiniteQuery(deletedLinksQuery)
  return (
    <LongList
      of={query}
      heading={deletedLinksTexts.heading}
      empty={
        <Text size="sm" c="dimmed">
          {deletedLinksTexts.none}
        </Text>
      }
    >
      {link => <Row key={link.id} link={link} />}
    </LongList>
  )
}

function Row({ link }: { readonly link: DeletedLink }) {
  const { id, shortCode, originalUrl, title, visits, deletedAt, keptUntil } = link
  const name = title ?? originalUrl
  const refresh = useRefresh()
  const restore = useMutation({
    mutationFn: () => restoreLink(id),
    onSuccess: () => notifyDone(deletedLinksTexts.restored(`/${shortCode}`)),
    onSettled: () => refresh(linksKey),
  })
  const forget = useDelete({
    title: deletedLinksTexts.forgetAsk,
    text: `/${shortCode}`,
    send: () => forgetLink(id),
    done: deletedLinksTexts.forgotten,
    changes: [linksKey],
  })
  return (
    <li>
      <div className={classes.what}>
        <div className={classes.name}>/{shortCode}</div>
        <Text size="sm" truncate>
          {name}
        </Text>
        <div className={classes.about}>
          <time dateTime={deletedAt} title={formatMoment(deletedAt)}>
            {deletedLinksTexts.deleted(formatAgo(deletedAt))}
          </time>
          {' · '}
          {deletedLinksTexts.keptUntil(formatDate(keptUntil))}
          {' · '}
          {texts.links.visits(visits, formatNumber(visits))}
        </div>
      </div>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconRestore size={16} />}
        loading={restore.isPending}
        aria-label={deletedLinksTexts.restoreOf(`/${shortCode}`)}
        onClick={() => restore.mutate()}
      >
        {deletedLinksTexts.restore}
      </Button>
      <RowMenu label={texts.links.actionsOf(`/${shortCode}`)}>
        <DeleteItem label={deletedLinksTexts.forget} onClick={forget} />
      </RowMenu>
    </li>
  )
}
