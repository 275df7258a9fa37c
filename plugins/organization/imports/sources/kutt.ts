import { zoneField } from '../reading/moments.ts'
import type { Source } from '../source.ts'
import { readKuttDatabase } from './kutt/database.ts'

export const kutt: Source = {
  name: 'kutt',
  label: 'Kutt',
  about:
    'Reads a dump of MySQL, MariaDB or PostgreSQL, or the SQLite file of Kutt, with visits, passwords, domains and users.',
  settings: {
    timeZone: zoneField('In which the database of Kutt writes dates that do not name one.'),
  },
  file: { endings: ['.sql', '.dump', '.sqlite', '.sqlite3', '.db'] },
  read: asked => readKuttDatabase(asked, String(asked.settings.timeZone ?? 'UTC')),
}
