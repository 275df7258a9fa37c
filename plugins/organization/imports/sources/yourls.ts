import { createHash } from 'node:crypto'
import { address, optional, secret, text } from '../../../../core/plugin.ts'
import { forAllLinks, keepsStatusField, keptStatus } from '../reading/for-all-links.ts'
import { zoneField } from '../reading/moments.ts'
import { readTableLinks } from '../reading/table-links.ts'
import { type Asked, type Item, type Source, SourceError } from '../source.ts'
import { isCsv } from '../tables/kind-of-file.ts'
import { readYourlsApi } from './yourls/api.ts'
import { readYourlsDump } from './yourls/database.ts'

export const yourls: Source = {
  name: 'yourls',
  label: 'YOURLS',
  about:
    'Reads a dump of the database of YOURLS with all visits, the CSV file of its plugin Import Export, or its API, which has links with sums of visits.',
  settings: {
    url: optional(
      address({ label: 'Address of YOURLS', hint: 'Only without a file, such as https://sho.rt.' }),
    ),
    signature: optional(
      secret({
        label: 'Signature',
        env: 'YOURLS_SIGNATURE',
        hint: 'Only without a file: the secret signature token on the page Tools of YOURLS.',
      }),
    ),
    prefix: optional(
      text({
        label: 'Prefix of its tables',
        hint: 'Only if a dump has the tables of several, such as yourls_.',
        max: 60,
      }),
    ),
    timeZone: zoneField(
      'In which YOURLS wrote dates: UTC, whatever it shows, unless a plugin changed it.',
    ),
    keepsStatus: keepsStatusField('Redirect with 301, as YOURLS does'),
  },
  file: { endings: ['.sql', '.csv'], orSettings: ['url', 'signature'] },
  read: asked => forAllLinks(read(asked), keptStatus(asked, 301)),
}

async function* read(asked: Asked): AsyncGenerator<Item> {
  const { url, signature, prefix, timeZone } = asked.settings
  const zone = String(timeZone ?? 'UTC')
  if (asked.file) {
    if (await isCsv(asked.file)) yield* readTableLinks(asked, { zone })
    else yield* readYourlsDump(asked, { zone, prefix: prefix === undefined ? null : `${prefix}` })
  } else if (url && signature) {
    yield* readYourlsApi(asked, { url: `${url}`, signature: `${signature}`, zone })
    yield keyOf(`${signature}`)
  } else {
    throw new SourceError(
      'There is neither a file nor the address of YOURLS with a signature. Choose a dump of its database, or enter both.',
    )
  }
}

/** The signature, so that programs that have it go on. Up to YOURLS 1.10.4 it is so short that it can be guessed. */
function keyOf(signature: string): Item {
  const row = 'signature'
  if (signature.length >= 32) {
    const sha256 = createHash('sha256').update(signature).digest('hex')
    return { kind: 'key', row, name: 'YOURLS, signature', sha256 }
  }
  const sentence =
    'The signature stays there: it is so short that it can be guessed. Make a new one here for the programs that have it.'
  return { kind: 'note', row, sentence }
}
