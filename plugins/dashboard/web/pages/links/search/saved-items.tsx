import { Menu } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  deleteSearch,
  type SavedSearch,
  savedSearchesKey,
  savedSearchesQuery,
} from '../../../api/links/saved-searches.ts'
import { IconBookmark, IconTrash } from '../../../shared/icons/icons.ts'
import { notifyDone } from '../../../shared/notices/notify.ts'
import { useRefresh } from '../../../shared/page/use-refresh.ts'
import { savedSearchTexts } from '../../../texts/saved-searches.ts'
import { askName } from './ask-name.tsx'
import { isNarrowed, type LinksSearch } from './links-search.ts'
import { queryOf, searchOf } from './saved-query.ts'

/** The saved searches, and the actions for the one that is shown. */
export function SavedItems({ search }: { readonly search: LinksSearch }) {
  const { data = [] } = useQuery(savedSearchesQuery())
  const refresh = useRefresh()
  const query = queryOf(search)
  const shown = data.find(saved => queryOf(searchOf(saved.query)) === query)
  const remove = useMutation({
    mutationFn: ({ id }: SavedSearch) => deleteSearch(id),
    onSuccess: (_, { name }) => notifyDone(savedSearchTexts.deleted(name)),
    onSettled: () => refresh(savedSearchesKey),
  })
  const canSave = !shown && (isNarrowed(search) || search.sort !== undefined)
  return (
    <>
      {data.map(saved => (
        <Menu.Item
          key={saved.id}
          aria-current={saved === shown || undefined}
          leftSection={<IconBookmark size={16} fill={saved === shown ? 'currentColor' : 'none'} />}
          renderRoot={props => <Link {...props} to="/links" search={searchOf(saved.query)} />}
        >
          {saved.name}
        </Menu.Item>
      ))}
      {data.length === 0 && !canSave && <Menu.Label>{savedSearchTexts.none}</Menu.Label>}
      {data.length > 0 && (canSave || shown) && <Menu.Divider />}
      {canSave && (
        <Menu.Item onClick={() => askName(query, () => refresh(savedSearchesKey))}>
          {savedSearchTexts.saveThis}
        </Menu.Item>
      )}
      {shown && (
        <Menu.Item leftSection={<IconTrash size={16} />} onClick={() => remove.mutate(shown)}>
          {savedSearchTexts.deleteThis(shown.name)}
        </Menu.Item>
      )}
    </>
  )
}
