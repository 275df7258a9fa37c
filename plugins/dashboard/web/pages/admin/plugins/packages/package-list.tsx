import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { findNewerVersions, type PluginPackage } from '../../../../api/admin/plugin-packages.ts'
import { IconPackage } from '../../../../shared/icons/icons.ts'
import things from '../../../../shared/lists/things.module.css'
import { Empty } from '../../../../shared/notices/empty.tsx'
import { FormProblem } from '../../../../shared/notices/form-problem.tsx'
import { messageOf } from '../../../../shared/notices/notify.ts'
import { adminTexts } from '../../../../texts/admin.ts'
import { PackageRow } from './package-row.tsx'

const words = adminTexts.packages

export interface PackageListProps {
  readonly packages: readonly PluginPackage[]
  readonly isChangeable: boolean
}

/** The installed packages, with available updates on request. */
export function PackageList({ packages, isChangeable }: PackageListProps) {
  const look = useMutation({ mutationFn: findNewerVersions, meta: { showsProblem: true } })
  if (packages.length === 0) {
    return (
      <Empty
        icon={<IconPackage size={40} stroke={1.5} />}
        heading={words.emptyHeading}
        lead={words.empty}
      />
    )
  }
  const newer = packages.flatMap(({ name, version }) => {
    const found = look.data?.find(it => it.name === name && it.latest !== version)
    return found ? [found] : []
  })
  return (
    <Stack gap="sm" component="section">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {words.listHeading}
        </Title>
        {isChangeable && (
          <Button
            variant="default"
            size="xs"
            loading={look.isPending}
            onClick={() => look.mutate()}
          >
            {words.look}
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed" role="status">
        {look.isPending && words.looking}
        {look.isSuccess && (newer.length === 0 ? words.newest : words.newer(newer.length))}
      </Text>
      <FormProblem problem={look.error && messageOf(look.error)} />
      <ul className={things.list}>
        {packages.map(it => (
          <PackageRow
            key={it.name}
            plugin={it}
            newer={newer.find(({ name }) => name === it.name)?.latest}
            isChangeable={isChangeable}
          />
        ))}
      </ul>
    </Stack>
  )
}
