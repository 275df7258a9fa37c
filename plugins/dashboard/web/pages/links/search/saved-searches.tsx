import { ActionIcon, Menu } from '@mantine/core'
import { useFeature } from '../../../api/instance/manifest.ts'
import { late } from '../../../shared/dialogs/late.ts'
import { LateItems } from '../../../shared/dialogs/late-items.tsx'
import { IconBookmark } from '../../../shared/icons/icons.ts'
import { texts } from '../../../texts.ts'
import type { LinksSearch } from './links-search.ts'

const SavedItems = late(async () => (await import('./saved-items.tsx')).SavedItems)

interface SavedSearchesProps {
  readonly search: LinksSearch
  readonly className: string | undefined
}

/** The account's saved searches; the current one can be saved too. */
export function SavedSearches({ search, className }: SavedSearchesProps) {
  if (useFeature('organization.savedSearches') !== 'on') return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="default"
          size={36}
          className={className}
          aria-label={texts.links.savedSearches}
        >
          <IconBookmark size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <LateItems>
          <SavedItems search={search} />
        </LateItems>
      </Menu.Dropdown>
    </Menu>
  )
}
