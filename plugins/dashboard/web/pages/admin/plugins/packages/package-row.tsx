import { ActionIcon, Anchor, Button, Group, Tooltip } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  addPluginPackage,
  type PluginPackage,
  pluginPackagesKey,
  removePluginPackage,
} from '../../../../api/admin/plugin-packages.ts'
import { pluginStatesQuery } from '../../../../api/admin/plugins.ts'
import { IconTrash } from '../../../../shared/icons/icons.ts'
import { Mark } from '../../../../shared/icons/mark.tsx'
import things from '../../../../shared/lists/things.module.css'
import { useDelete } from '../../../../shared/lists/use-delete.ts'
import { adminTexts } from '../../../../texts/admin.ts'
import row from '../plugin-row.module.css'
import { useShowInstalled } from './use-show-installed.ts'

const words = adminTexts.packages

export interface PackageRowProps {
  readonly plugin: PluginPackage
  /** A version that it can be updated to. */
  readonly newer: string | undefined
  readonly isChangeable: boolean
}

/** A package: the plugin in it, its status, and the actions for it. */
export function PackageRow({ plugin, newer, isChangeable }: PackageRowProps) {
  const { name, version, feature, running, problem } = plugin
  const showInstalled = useShowInstalled()
  const update = useMutation({
    mutationFn: () => addPluginPackage(`${name}@${newer}`),
    onSuccess: showInstalled,
  })
  const remove = useRemove(name)
  return (
    <li>
      <div className={things.what}>
        <div className={things.name}>
          {[name, version].join(' ').trim()}
          <State plugin={plugin} />
        </div>
        {feature && (
          <div className={things.about}>
            {words.brings} <FeatureLink feature={feature} />
          </div>
        )}
        {problem && (
          <p className={row.problem}>
            {problem}. {running !== null && words.runs(running)}
          </p>
        )}
      </div>
      {isChangeable && (
        <Group gap={4} wrap="nowrap">
          {newer !== undefined && (
            <Button
              size="xs"
              variant="light"
              loading={update.isPending}
              aria-label={words.updateOf(name, newer)}
              onClick={() => update.mutate()}
            >
              {words.update(newer)}
            </Button>
          )}
          <Tooltip label={words.remove}>
            <ActionIcon
              variant="subtle"
              color="gray"
              c="dimmed"
              size="lg"
              aria-label={words.removeOf(name)}
              onClick={remove}
            >
              <IconTrash size={18} />
            </ActionIcon>
          </Tooltip>
        </Group>
      )}
    </li>
  )
}

function FeatureLink({ feature }: { readonly feature: string }) {
  const [group = '', name = ''] = feature.split('.')
  const params = { group, name }
  return (
    <Anchor
      inherit
      renderRoot={props => <Link {...props} to="/admin/plugins/$group/$name" params={params} />}
    >
      {feature}
    </Anchor>
  )
}

function State({
  plugin: { running, version, name, problem },
}: {
  readonly plugin: PluginPackage
}) {
  const { states } = words
  if (running === (version ?? name)) return <Mark color="teal">{states.running}</Mark>
  if (running !== null) return <Mark color="yellow">{states.other}</Mark>
  return problem === null ? (
    <Mark color="gray">{states.off}</Mark>
  ) : (
    <Mark color="red">{states.broken}</Mark>
  )
}

function useRemove(name: string): () => void {
  return useDelete({
    title: words.removeHeading(name),
    text: words.removeWarning,
    confirm: words.remove,
    send: () => removePluginPackage(name),
    done: words.removed(name),
    changes: [pluginPackagesKey, pluginStatesQuery.queryKey],
  })
}
