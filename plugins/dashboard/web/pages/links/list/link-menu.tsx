import type { Link } from '../../../api/links/links.ts'
import { late } from '../../../shared/dialogs/late.ts'
import { RowMenu } from '../../../shared/lists/row-menu.tsx'
import { texts } from '../../../texts.ts'

const LinkItems = late(async () => (await import('./link-items.tsx')).LinkItems)

/** The menu of one link in the list. */
export function LinkMenu({ link }: { readonly link: Link }) {
  return (
    <RowMenu label={texts.links.actionsOf(link.title ?? link.shortCode)}>
      <LinkItems link={link} />
    </RowMenu>
  )
}
