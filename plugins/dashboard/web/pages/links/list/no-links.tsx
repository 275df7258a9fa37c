import { Anchor, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { IconLink, IconSearch } from '../../../shared/icons/icons.ts'
import { Empty } from '../../../shared/notices/empty.tsx'
import { texts } from '../../../texts.ts'
import { FirstLinkForm } from '../new-link/first-link-form.tsx'

/**
 * Shown for an empty list: because nothing matches, or because there are no links yet, with a form for the
 * first one.
 */
export function NoLinks({ isNarrowed }: { readonly isNarrowed: boolean }) {
  if (isNarrowed) {
    return (
      <Empty
        icon={<IconSearch size={40} stroke={1.5} />}
        heading={texts.links.noneFoundHeading}
        lead={texts.links.noneFound}
      >
        <Button variant="default" renderRoot={props => <Link {...props} to="/links" search={{}} />}>
          {texts.links.clearFilters}
        </Button>
      </Empty>
    )
  }
  return (
    <Empty
      icon={<IconLink size={40} stroke={1.5} />}
      heading={texts.links.emptyHeading}
      lead={texts.links.emptyLead}
    >
      <FirstLinkForm />
      <Anchor size="sm" renderRoot={props => <Link {...props} to="/links/import" />}>
        {texts.links.importFirst}
      </Anchor>
    </Empty>
  )
}
