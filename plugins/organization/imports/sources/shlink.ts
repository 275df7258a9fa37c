import { address, optional, secret } from '../../../../core/plugin.ts'
import { zoneField } from '../reading/moments.ts'
import { readTableLinks } from '../reading/table-links.ts'
import { type Asked, type Item, type Source, SourceError } from '../source.ts'
import { isCsv } from '../tables/kind-of-file.ts'
import { readShlinkApi } from './shlink/api.ts'
import { readShlinkDatabase } from './shlink/database.ts'

export const shlink: Source = {
  name: 'shlink',
  label: 'Shlink',
  about:
    'Reads a running Shlink over its REST API, a dump of its database, its SQLite file, or a CSV file of its web client.',
  settings: {
    url: optional(
      address({ label: 'Address of Shlink', hint: 'Only without a file, such as https://s.test.' }),
    ),
    key: optional(
      secret({
        label: 'API key',
        env: 'SHLINK_API_KEY',
        hint: 'Only without a file: from shlink api-key:generate, without roles.',
      }),
    ),
    timeZone: zoneField('In which a database or a CSV file has its dates: the TIMEZONE of Shlink.'),
  },
  file: { endings: ['.sql', '.dump', '.sqlite', '.db', '.csv'], orSettings: ['url', 'key'] },
  read,
}

async function* read(asked: Asked): AsyncGenerator<Item> {
  const { url, key, timeZone } = asked.settings
  const zone = String(timeZone ?? 'UTC')
  if (asked.file) {
    if (await isCsv(asked.file)) yield* readTableLinks(asked, { zone })
    else yield* readShlinkDatabase(asked, zone)
  } else if (url && key) yield* readShlinkApi(asked, { url: `${url}`, key: `${key}` })
  else {
    throw new SourceError(
      'There is neither a file nor the address of Shlink with an API key. Choose a file, or enter both.',
    )
  }
}
