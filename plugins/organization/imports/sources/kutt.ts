import { address, optional, secret, toggle } from '../../../../core/plugin.ts'
import { zoneField } from '../reading/moments.ts'
import { type Asked, type Item, type Source, SourceError } from '../source.ts'
import { readKuttApi } from './kutt/api.ts'
import { readKuttDatabase } from './kutt/database.ts'

export const kutt: Source = {
  name: 'kutt',
  label: 'Kutt',
  about:
    'Reads a dump of the database of Kutt, or its SQLite file, with all visits and passwords, or its API, which has less of both.',
  settings: {
    url: optional(
      address({
        label: 'Address of Kutt',
        hint: 'Only without a file, such as https://kutt.test.',
      }),
    ),
    key: optional(
      secret({
        label: 'API key',
        env: 'KUTT_API_KEY',
        hint: 'Only without a file: from the settings of Kutt.',
      }),
    ),
    allLinks: toggle({
      label: 'Links of all users',
      hint: 'Over the API, with the key of an admin. Files always have those of all users.',
      default: false,
    }),
    timeZone: zoneField('In which a dump of MySQL or MariaDB has its dates: that of the database.'),
  },
  file: { endings: ['.sql', '.dump', '.sqlite', '.sqlite3', '.db'], orSettings: ['url', 'key'] },
  read,
}

async function* read(asked: Asked): AsyncGenerator<Item> {
  const { url, key, allLinks, timeZone } = asked.settings
  if (asked.file) yield* readKuttDatabase(asked, String(timeZone ?? 'UTC'))
  else if (url && key) {
    yield* readKuttApi(asked, { url: `${url}`, key: `${key}`, hasAllLinks: allLinks === true })
  } else {
    throw new SourceError(
      'There is neither a file nor the address of Kutt with an API key. Choose a file, or enter both.',
    )
  }
}
