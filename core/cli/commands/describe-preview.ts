import type { Compared, Difference, RestorePreview } from '../../storage/backups/preview-restore.ts'

/** What a restore would change, as lines for people. */
export function describePreview(preview: RestorePreview): readonly string[] {
  const { schema, accounts, links, visits, settings } = preview
  if (schema.now === undefined) {
    return [
      'There is no current database that can be read.',
      `The backup has ${numbered(accounts.backup, 'account')}, ${numbered(links.backup, 'link')} and ${numbered(visits.backup, 'visit')}.`,
    ]
  }
  const changes = [
    ...changesOf(accounts, 'account'),
    ...changesOf(links, 'link'),
    ...changesOfSettings(settings),
    ...(schema.backup < schema.now
      ? [`The backup has schema ${schema.backup}. The next start updates it to ${schema.now}.`]
      : []),
  ]
  return [
    ...table([
      ['', 'Backup', 'Now'],
      row('Accounts', accounts),
      row('Links', links),
      row('Visits', visits),
    ]),
    '',
    ...(changes.length > 0 ? changes : ['Accounts, links and settings are the same.']),
  ]
}

function changesOf({ lost, returned, reverted }: Difference, what: string): readonly string[] {
  return [
    lost > 0 && `${numbered(lost, what)} created since the backup would be deleted.`,
    returned > 0 && `${numbered(returned, what)} deleted since would be restored.`,
    reverted > 0 && `${numbered(reverted, what)} changed since would be changed back.`,
  ].filter(line => line !== false)
}

function changesOfSettings(settings: RestorePreview['settings']): readonly string[] {
  if (settings === undefined)
    return ['The backup has no settings, so settings.json stays unchanged.']
  if (settings.length === 0) return []
  return [`These settings would be changed back: ${settings.join(', ')}.`]
}

function row(name: string, { backup, now }: Compared): readonly string[] {
  return [name, format(backup), now === undefined ? '' : format(now)]
}

/** Formats rows with right-aligned numbers. */
function table(rows: readonly (readonly string[])[]): readonly string[] {
  return rows.map(([name = '', ...values]) =>
    [name.padEnd(8), ...values.map(value => value.padStart(12))].join(' ').trimEnd(),
  )
}

function numbered(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${format(count)} ${what}s`
}

function format(count: number): string {
  return count.toLocaleString('en-US')
}
