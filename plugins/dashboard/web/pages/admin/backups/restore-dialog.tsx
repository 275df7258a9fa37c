import { Loader, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Backup, previewQuery, type RestorePreview } from '../../../api/admin/backups.ts'
import { CodeBlock } from '../../../shared/copy/code-block.tsx'
import { Dialog } from '../../../shared/dialogs/dialog.tsx'
import { TryAgain } from '../../../shared/notices/try-again.tsx'
import { formatMoment, formatNumber } from '../../../shared/text/format.ts'
import { adminTexts } from '../../../texts/admin.ts'
import classes from './restore-dialog.module.css'

export interface RestoreDialogProps {
  readonly backup: Backup | undefined
  readonly isOpen: boolean
  onClose(): void
}

const words = adminTexts.backups

/** Shows what restoring a backup would change, and how to do it: the server must be stopped meanwhile. */
export function RestoreDialog({ backup, isOpen, onClose }: RestoreDialogProps) {
  return (
    <Dialog opened={isOpen} onClose={onClose} title={words.restoreHeading} size="lg">
      {backup && (
        <Stack>
          <Text fw={600}>{formatMoment(backup.createdAt)}</Text>
          <Preview name={backup.name} />
        </Stack>
      )}
    </Dialog>
  )
}

function Preview({ name }: { readonly name: string }) {
  const { data: preview, error, refetch } = useQuery(previewQuery(name))
  if (error && !preview) return <TryAgain error={error} onRetry={refetch} />
  if (!preview) {
    return (
      <Text role="status" c="dimmed">
        <Loader size="xs" mr="sm" aria-hidden="true" />
        {words.comparing}
      </Text>
    )
  }
  return (
    <>
      <Differences preview={preview} />
      <Notes preview={preview} />
      <Text size="sm">{words.steps}</Text>
      <CodeBlock code={`linnet restore ${name}`} copyLabel={words.copyCommand} />
    </>
  )
}

function Differences({ preview }: { readonly preview: RestorePreview }) {
  const { accounts, links, visits } = preview
  return (
    <Table className={classes.differences} horizontalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{words.columns.what}</Table.Th>
          <Table.Th ta="end">{words.columns.backup}</Table.Th>
          <Table.Th ta="end">{words.columns.now}</Table.Th>
          <Table.Th>{words.columns.change}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        <Difference name={words.rows.accounts} {...accounts} />
        <Difference name={words.rows.links} {...links} />
        <Difference name={words.rows.visits} {...visits} {...ofTotals(visits)} />
      </Table.Tbody>
    </Table>
  )
}

type Numbers = RestorePreview['links']

function Difference({
  name,
  backup,
  now,
  lost,
  returned,
  reverted,
}: Numbers & { readonly name: string }) {
  const changes = [
    lost > 0 && words.lost(formatNumber(lost)),
    returned > 0 && words.returned(formatNumber(returned)),
    reverted > 0 && words.reverted(formatNumber(reverted)),
  ].filter(change => change !== false)
  const said = changes.length > 0 ? changes.join(', ') : words.same
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400}>
        {name}
      </Table.Th>
      <Table.Td ta="end">{formatNumber(backup)}</Table.Td>
      <Table.Td ta="end">{now === null ? words.unknown : formatNumber(now)}</Table.Td>
      <Table.Td>{now === null ? '' : said}</Table.Td>
    </Table.Tr>
  )
}

/** Of visits only the totals are compared: if there are more now than in the backup, restoring it loses some. */
function ofTotals({ backup, now }: RestorePreview['visits']) {
  const more = (now ?? backup) - backup
  return { lost: Math.max(more, 0), returned: Math.max(-more, 0), reverted: 0 }
}

function Notes({ preview }: { readonly preview: RestorePreview }) {
  const { settings, schema } = preview
  const notes = [
    settings === null
      ? words.settingsStay
      : settings.length === 0
        ? words.settingsSame
        : words.settingsChange(settings.map(name => words.settings[name] ?? name).join(', ')),
    words.secrets,
    schema.now !== null &&
      schema.backup < schema.now &&
      words.schema(String(schema.backup), String(schema.now)),
  ].filter(note => note !== false)
  return (
    <Text size="sm" component="div">
      {notes.map(note => (
        <div key={note}>{note}</div>
      ))}
    </Text>
  )
}
