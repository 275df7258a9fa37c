import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import {
  addPluginPackage,
  type ListedPlugin,
  readPluginIndex,
} from '../../../../api/admin/plugin-packages.ts'
import { Mark } from '../../../../shared/icons/mark.tsx'
import things from '../../../../shared/lists/things.module.css'
import { FormProblem } from '../../../../shared/notices/form-problem.tsx'
import { messageOf } from '../../../../shared/notices/notify.ts'
import { adminTexts } from '../../../../texts/admin.ts'
import { Panel } from '../../panel.tsx'
import row from '../plugin-row.module.css'
import { useShowInstalled } from './use-show-installed.ts'

const words = adminTexts.packages

export interface BrowseIndexProps {
  readonly address: string
  readonly isChangeable: boolean
}

/** Plugins of the index that the operator named. It is asked only when an admin says so. */
export function BrowseIndex({ address, isChangeable }: BrowseIndexProps) {
  const [search, setSearch] = useState('')
  const read = useMutation({ mutationFn: readPluginIndex, meta: { showsProblem: true } })
  const found = read.data?.filter(it => has(it, search))
  return (
    <Panel heading={words.browseHeading} lead={words.browse(new URL(address).host)}>
      <Stack gap="sm">
        {found === undefined ? (
          <Button
            variant="default"
            style={{ alignSelf: 'flex-start' }}
            loading={read.isPending}
            onClick={() => read.mutate()}
          >
            {words.readIndex}
          </Button>
        ) : (
          <>
            <TextInput
              type="search"
              label={words.searchIndex}
              value={search}
              onChange={({ currentTarget }) => setSearch(currentTarget.value)}
            />
            <Text size="sm" c="dimmed" role="status">
              {words.found(found.length)}
            </Text>
            <ul className={things.list}>
              {found.map(it => (
                <ListedRow
                  key={it.name}
                  plugin={it}
                  isChangeable={isChangeable}
                  read={read.mutateAsync}
                />
              ))}
            </ul>
          </>
        )}
        <FormProblem problem={read.error && messageOf(read.error)} />
      </Stack>
    </Panel>
  )
}

function has({ name, about, keywords }: ListedPlugin, search: string): boolean {
  const text = [name, about, ...keywords].join(' ').toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word))
}

function ListedRow({
  plugin: {
    name,
    about,
    version,
    installed,
    problem,
    repository,
    license,
    released,
    reads,
    unstable,
    verified,
  },
  isChangeable,
  read,
}: {
  readonly plugin: ListedPlugin
  readonly isChangeable: boolean
  /** Reads the index again. */
  read(): Promise<unknown>
}) {
  const showInstalled = useShowInstalled()
  const install = useMutation({
    mutationFn: () => addPluginPackage(`${name}@${version}`),
    async onSuccess(added) {
      await showInstalled(added)
      await read()
    },
  })
  return (
    <li>
      <div className={things.what}>
        <div className={things.name}>
          {repository === null ? (
            name
          ) : (
            <Anchor inherit href={repository} target="_blank" rel="noreferrer">
              {name}
            </Anchor>
          )}
          {verified !== null && (
            <Anchor inherit href={verified.provenance} target="_blank" rel="noreferrer">
              <Mark color="blue">{words.verified(verified.by)}</Mark>
            </Anchor>
          )}
          {installed !== null && <Mark color="teal">{words.has(installed)}</Mark>}
        </div>
        <div className={things.about}>{about}</div>
        <div className={things.about}>
          {[
            license,
            words.released(released),
            ...(reads.length === 0 ? [] : [words.reads(reads.join(', '))]),
            ...(unstable.length === 0 ? [] : [words.unstable]),
          ].join(' · ')}
        </div>
        {problem !== null && <p className={row.problem}>{problem}.</p>}
      </div>
      {isChangeable && version !== null && version !== installed && (
        <Group gap={4} wrap="nowrap">
          <Button
            size="xs"
            variant="light"
            loading={install.isPending}
            aria-label={words.installOf(name, version)}
            onClick={() => install.mutate()}
          >
            {words.install(version)}
          </Button>
        </Group>
      )}
    </li>
  )
}
