import { Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useFeature } from '../../../api/instance/manifest.ts'
import { useColumns } from '../../../api/links/additions.ts'
import { IconDownload, IconFileImport, IconTrash } from '../../../shared/icons/icons.ts'
import { texts } from '../../../texts.ts'
import type { LinksFormat } from '../bulk/links-file.ts'
import { type LinksSearch, questionOf } from '../search/links-search.ts'
import { columnPart, type ListLook, listParts, useListLook } from './use-list-look.ts'

/** The actions for the list as a whole: import links, export those found, restore deleted ones, change what it shows. */
export function ListItems({ search }: { readonly search: LinksSearch }) {
  const save = async (format: LinksFormat) => {
    const { exportLinks } = await import('../bulk/export-links.ts')
    await exportLinks({ question: questionOf(search) }, format)
  }
  const canMoveIn = useFeature('organization.imports') === 'on'
  const showDeleted = async () => (await import('../deleted/deleted-links.tsx')).showDeleted()
  return (
    <>
      <Menu.Item
        leftSection={<IconFileImport size={16} />}
        renderRoot={props => <Link {...props} to="/links/import" />}
      >
        {texts.links.import}
      </Menu.Item>
      {canMoveIn && (
        <Menu.Item
          leftSection={<IconFileImport size={16} />}
          renderRoot={props => <Link {...props} to="/links/move-in" />}
        >
          {texts.links.moveIn}
        </Menu.Item>
      )}
      <Menu.Divider />
      <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => void save('csv')}>
        {texts.links.exportCsv}
      </Menu.Item>
      <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => void save('json')}>
        {texts.links.exportJson}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item leftSection={<IconTrash size={16} />} onClick={() => void showDeleted()}>
        {texts.links.deletedLinks}
      </Menu.Item>
      <Menu.Divider />
      <LookItems />
    </>
  )
}

/** What each row shows, and how compact it is. */
function LookItems() {
  const [look, setLook] = useListLook()
  const { isCompact, hidden } = look
  const parts = [
    ...listParts.map(part => ({ part, label: texts.links.parts[part] })),
    ...useColumns().map(({ name, label }) => ({ part: columnPart(name), label })),
  ]
  const show = (part: ListLook['hidden'][number], isShown: boolean) =>
    setLook({ ...look, hidden: isShown ? hidden.filter(it => it !== part) : [...hidden, part] })
  return (
    <>
      <Menu.Label>{texts.links.look}</Menu.Label>
      {parts.map(({ part, label }) => (
        <Menu.CheckboxItem
          key={part}
          closeMenuOnClick={false}
          checked={!hidden.includes(part)}
          onChange={isShown => show(part, isShown)}
        >
          {label}
        </Menu.CheckboxItem>
      ))}
      <Menu.CheckboxItem
        closeMenuOnClick={false}
        checked={isCompact}
        onChange={isOn => setLook({ ...look, isCompact: isOn })}
      >
        {texts.links.compact}
      </Menu.CheckboxItem>
    </>
  )
}
