import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { server } from '../../config/server.ts'
import {
  readServerSettings,
  type ServerSettings,
  type ServerTable,
  settingsAsText,
  type Variable,
  warnOfUnknown,
} from '../../core/cli/settings-from-env.ts'
import { mostWorkers } from '../../core/lib/memory/memory-shares.ts'
import { networks } from '../../core/lib/net/ip-address.ts'

type Env = Readonly<Record<string, string>>

const folder = mkdtempSync(join(tmpdir(), 'linnet-settings-'))
afterAll(() => rmSync(folder, { recursive: true }))

const token = `lnt_${'a'.repeat(43)}`
/** On a machine with up to 124 GiB. */
const tooMany = mostWorkers() + 1

describe('what is set', () => {
  const accepted: readonly [Env, Partial<ServerSettings>][] = [
    [{ LINNET_HOST: '::1' }, { host: '::1' }],
    [{ LINNET_HOST: 'localhost' }, { host: 'localhost' }],
    [{ LINNET_PORT: '0' }, { port: 0 }],
    [{ LINNET_PORT: '65535' }, { port: 65_535, baseUrl: 'http://localhost:65535' }],
    [{ PORT: '3000' }, { port: 3000, baseUrl: 'http://localhost:3000' }],
    [
      { PORT: '3000', LINNET_PORT: '4000' },
      { port: 4000, baseUrl: 'http://localhost:4000' },
    ],
    [{ LINNET_BASE_URL: 'https://Go.Example.org/' }, { baseUrl: 'https://go.example.org' }],
    [
      { LINNET_BASE_URL: `https://${'x'.repeat(63)}.test.` },
      { baseUrl: `https://${'x'.repeat(63)}.test.` },
    ],
    [{ LINNET_BASE_URL: 'http://my_host:81' }, { baseUrl: 'http://my_host:81' }],
    [{ LINNET_PORT: '0' }, { baseUrl: 'http://localhost:0' }],
    [{ LINNET_DATA_DIR: '/srv/a$' }, { dataDir: '/srv/a$' }],
    [{ LINNET_BASE_URL: 'http://[::1]:81' }, { baseUrl: 'http://[::1]:81' }],
    [{ LINNET_BASE_URL: 'http://go.test:81' }, { baseUrl: 'http://go.test:81' }],
    [{ LINNET_BASE_URL: 'https://bücher.example' }, { baseUrl: 'https://xn--bcher-kva.example' }],
    [{ LINNET_DATA_DIR: 'here/there' }, { dataDir: resolve('here/there') }],
    [{ LINNET_TRUSTED_PROXIES: '2' }, { trustedProxies: { kind: 'hops', count: 2 } }],
    [{ LINNET_CORS_ORIGINS: '*' }, { corsOrigins: '*' }],
    [{ LINNET_CORS_ORIGINS: 'none' }, { corsOrigins: [] }],
    [
      { LINNET_CORS_ORIGINS: 'https://App.example.org/, http://localhost:3000' },
      { corsOrigins: ['https://app.example.org', 'http://localhost:3000'] },
    ],
    [
      { LINNET_WORKERS: '4', DATABASE_URL: 'postgres://linnet@db/linnet' },
      { workers: 4, databaseUrl: 'postgres://linnet@db/linnet' },
    ],
    [
      { LINNET_WORKERS: 'auto', DATABASE_URL: 'postgres://linnet@db/linnet' },
      {
        workers: Math.min(availableParallelism(), mostWorkers()),
        databaseUrl: 'postgres://linnet@db/linnet',
      },
    ],
    ...['require', 'prefer', 'verify-ca', 'verify-full'].map((mode): [Env, object] => [
      { DATABASE_URL: `postgres://linnet@db/linnet?sslmode=${mode}&sslrootcert=/ca.pem` },
      { databaseUrl: 'postgres://linnet@db/linnet?sslmode=verify-full&sslrootcert=/ca.pem' },
    ]),
    ...['uselibpqcompat=true&sslmode=require', 'sslmode=no-verify'].map((query): [Env, object] => [
      { DATABASE_URL: `postgres://linnet@db/linnet?${query}` },
      { databaseUrl: `postgres://linnet@db/linnet?${query}` },
    ]),
    [{ LINNET_HOURLY_DAYS: '7' }, { hourlyDays: 7 }],
    [{ LINNET_BACKUPS_KEPT: '0' }, { backupsKept: 0 }],
    [{ LINNET_DELETED_LINKS_DAYS: '0' }, { deletedDays: 0 }],
    [{ LINNET_RETENTION_DAYS: '365' }, { retentionDays: 365 }],
    [{ LINNET_LOG_LEVEL: 'warn' }, { logLevel: 'warn' }],
    [{ LINNET_LOG_FORMAT: 'json' }, { logFormat: 'json' }],
    [{ LINNET_LOG_ADDRESSES: 'true' }, { logsAddresses: true }],
    [{ LINNET_LOG_ADDRESSES: '1' }, { logsAddresses: true }],
    [{ LINNET_PLUGIN_INSTALL: '1' }, { installsPlugins: true }],
    [{ LINNET_PLUGIN_INSTALL: 'true' }, { installsPlugins: true }],
    [
      { LINNET_PLUGIN_INDEX: 'https://example.org/plugins.json' },
      { pluginIndex: 'https://example.org/plugins.json' },
    ],
    [{ LINNET_FAST_LANE: '0' }, { fastLane: false }],
    [{ LINNET_FAST_LANE: 'false' }, { fastLane: false }],
    [
      {
        LINNET_PORT: ' 8081\r',
        LINNET_DATA_DIR: 'here\r',
        LINNET_BASE_URL: ' https://go.test\r\n',
      },
      { port: 8081, dataDir: resolve('here'), baseUrl: 'https://go.test' },
    ],
    [
      { LINNET_ADMIN_EMAIL: 'ada@example.org\r', LINNET_ADMIN_PASSWORD: ' 8 chars \r' },
      { adminEmail: 'ada@example.org', adminPassword: ' 8 chars ' },
    ],
    [{ LINNET_PORT: ' ' }, { port: 8080 }],
    [{ LINNET_FETCH_ALLOW: 'none' }, { ownNetwork: { networks: [], hosts: [] } }],
    [
      { LINNET_FETCH_ALLOW: 'N8n.lan, 192.168.1.0/24' },
      { ownNetwork: { networks: networks('192.168.1.0/24'), hosts: ['n8n.lan'] } },
    ],
    [{ LINNET_TARGET_SCHEMES: 'none' }, { targetSchemes: [] }],
    [
      { LINNET_TARGET_SCHEMES: 'mailto, Tel,org.example.app,tel' },
      { targetSchemes: ['mailto', 'tel', 'org.example.app'] },
    ],
    [{ PLUGINS: 'none' }, { plugins: [] }],
    [{ PLUGINS: 'link.a, link.b' }, { plugins: ['link.a', 'link.b'] }],
    [
      { LINNET_ADMIN_EMAIL: 'Ada@Example.org', LINNET_ADMIN_PASSWORD: ' 8 chars ' },
      { adminEmail: 'ada@example.org', adminPassword: ' 8 chars ' },
    ],
    [
      {
        LINNET_ADMIN_EMAIL: 'ada@example.org',
        LINNET_ADMIN_PASSWORD: 'analytical',
        LINNET_BOOTSTRAP_TOKEN: token,
      },
      { bootstrapToken: token },
    ],
    [{ LINNET_PORT: '', LINNET_BASE_URL: '', DATABASE_URL: '' }, { port: 8080 }],
  ]
  test.each(accepted)('%j is understood', (env, expected) => {
    expect(settingsFrom(env)).toMatchObject(expected)
  })

  test('with nothing set, every setting has its default', () => {
    expect(settingsFrom({})).toEqual({
      host: '0.0.0.0',
      port: 8080,
      baseUrl: 'http://localhost:8080',
      dataDir: resolve('data'),
      workers: 1,
      trustedProxies: { kind: 'none' },
      corsOrigins: [],
      otherHosts: 'answer',
      targetSchemes: [],
      fastLane: true,
      hourlyDays: 60,
      backupsKept: 7,
      deletedDays: 30,
      logLevel: 'info',
      logFormat: 'auto',
      logsAddresses: false,
      plugins: 'all',
      installsPlugins: false,
      ownNetwork: { networks: [], hosts: [] },
      adminEmail: undefined,
      adminPassword: undefined,
      bootstrapToken: undefined,
    })
  })
})

describe('a mistake is a sentence that names the variable and the remedy', () => {
  const number = 'enter a whole number from 0 to 65535.'
  const days = 'enter a whole number of days from 1 to 99999.'
  const origin =
    'enter http:// or https:// followed by a host and nothing else, such as https://go.example.org.'
  const account = { LINNET_ADMIN_EMAIL: 'a@b.example', LINNET_ADMIN_PASSWORD: 'analytical' }
  const refused: readonly [Env, string][] = [
    [{ LINNET_PORT: 'eighty' }, `LINNET_PORT is "eighty": ${number}`],
    [{ PORT: '65536' }, `PORT is "65536": ${number}`],
    [{ LINNET_PORT: '-1' }, `LINNET_PORT is "-1": ${number}`],
    [{ LINNET_PORT: '80.5' }, `LINNET_PORT is "80.5": ${number}`],
    [
      { LINNET_HOST: 'http://localhost' },
      'LINNET_HOST is "http://localhost": enter an IP address or a host name, such as 127.0.0.1.',
    ],
    [
      { LINNET_BACKUPS_KEPT: '-1' },
      'LINNET_BACKUPS_KEPT is "-1": enter a whole number from 0 to 9999.',
    ],
    ...['0', '1000', '1.5', 'all'].map((text): [Env, string] => [
      { LINNET_WORKERS: text, DATABASE_URL: 'postgres://linnet@db/linnet' },
      `LINNET_WORKERS is "${text}": enter a whole number from 1 to 999, or auto.`,
    ]),
    [
      { LINNET_WORKERS: `${tooMany}`, DATABASE_URL: 'postgres://linnet@db/linnet' },
      `LINNET_WORKERS is "${tooMany}": enter at most ${mostWorkers()}, or auto: each needs 128 MiB of memory.`,
    ],
    [
      { LINNET_WORKERS: '2' },
      'LINNET_WORKERS is set without DATABASE_URL: set DATABASE_URL too, or unset LINNET_WORKERS.',
    ],
    [{ LINNET_HOURLY_DAYS: '0' }, `LINNET_HOURLY_DAYS is "0": ${days}`],
    [{ LINNET_RETENTION_DAYS: 'never' }, `LINNET_RETENTION_DAYS is "never": ${days}`],
    [{ LINNET_BASE_URL: 'go.test' }, `LINNET_BASE_URL is "go.test": ${origin}`],
    ...[
      ...['x..y', '.go.test', `${'x'.repeat(64)}.test`, `$\{HOST}`, 'go.test;', '*.go.test'],
      ...['xn--', 'a{b}.c', '-go.test', 'go-.test', 'go.$test'],
    ].map((host): [Env, string] => [
      { LINNET_BASE_URL: `https://${host}` },
      `LINNET_BASE_URL is "https://${host}": ${origin}`,
    ]),
    [{ LINNET_BASE_URL: 'ftp://go.test' }, `LINNET_BASE_URL is "ftp://go.test": ${origin}`],
    [{ LINNET_BASE_URL: 'http://go.test/a' }, `LINNET_BASE_URL is "http://go.test/a": ${origin}`],
    [{ LINNET_BASE_URL: 'http://go.test?a' }, `LINNET_BASE_URL is "http://go.test?a": ${origin}`],
    [{ LINNET_BASE_URL: 'http://go.test/#' }, `LINNET_BASE_URL is "http://go.test/#": ${origin}`],
    [
      { LINNET_BASE_URL: 'http://ada:secret@go.test' },
      `LINNET_BASE_URL is "http://…@go.test": ${origin}`,
    ],
    ...[
      ...['app.example.org', '*, https://a.example', 'https://a.example/x', 'null', ','],
      ...['https://*.example.org', 'https://*.x', 'https://a.example,https://b.example;'],
    ].map((text): [Env, string] => [
      { LINNET_CORS_ORIGINS: text },
      `LINNET_CORS_ORIGINS is "${text}": enter *, none, or origins separated by commas, such as https://app.example.org.`,
    ]),
    ...['LINNET_PLUGIN_INSTALL', 'LINNET_FAST_LANE', 'LINNET_LOG_ADDRESSES'].map(
      (name): [Env, string] => [{ [name]: 'yes' }, `${name} is "yes": enter true or false.`],
    ),
    ...['~/linnet', "'/data'", '$HOME/linnet', `/srv/$\{USER}/linnet`, '$(pwd)/data'].map(
      (text): [Env, string] => [
        { LINNET_DATA_DIR: text },
        `LINNET_DATA_DIR is "${text}": enter a path in full, without quotes and variables: nothing replaces ~ or $HOME here.`,
      ],
    ),
    [
      { LINNET_GEOIP_FILE: '/a.mmdb,~/b.mmdb' },
      'LINNET_GEOIP_FILE is "/a.mmdb,~/b.mmdb": enter a path in full, without quotes and variables: nothing replaces ~ or $HOME here.',
    ],
    ...[
      ...['192.168.1.0/33', '10.0.0', 'http://n8n.lan', 'n8n.lan:5678', ','],
      ...['192.168.1.0-24', 'all', 'True'],
    ].map((text): [Env, string] => [
      { LINNET_FETCH_ALLOW: text },
      `LINNET_FETCH_ALLOW is "${text}": "${text.replace(',', '')}" is not an address, network or host. Enter them separated by commas, such as 192.168.1.0/24,n8n.lan, or none.`,
    ]),
    ...[',', 'cities.mmdb,'].map((text): [Env, string] => [
      { LINNET_GEOIP_FILE: text },
      `LINNET_GEOIP_FILE is "${text}": enter the path of an MMDB file, or two separated by a comma.`,
    ]),
    [{ LINNET_LOG_LEVEL: 'loud' }, 'LINNET_LOG_LEVEL is "loud": enter info, warn or error.'],
    [
      { PLUGINS: 'passwords' },
      'PLUGINS is "passwords": "passwords" is not a feature. Enter all, none, or features separated by commas, such as link.passwordProtection,developer.apiKeys.',
    ],
    ...['1.5', '1', 'link.2fa', '-1', 'true'].map((text): [Env, string] => [
      { PLUGINS: text },
      `PLUGINS is "${text}": "${text}" is not a feature. Enter all, none, or features separated by commas, such as link.passwordProtection,developer.apiKeys.`,
    ]),
    ...[
      [
        'mailto:',
        '"mailto:" is not a scheme. Enter schemes without a colon, separated by commas, such as mailto,tel,myapp, or none.',
      ],
      ['https', '"https" is always allowed. Enter only schemes besides http and https.'],
      [
        'mailto,javascript',
        '"javascript" cannot be allowed, because browsers run or open what follows it. Leave it out.',
      ],
    ].map(([text = '', sentence]): [Env, string] => [
      { LINNET_TARGET_SCHEMES: text },
      `LINNET_TARGET_SCHEMES is "${text}": ${sentence}`,
    ]),
    [
      { ...account, LINNET_ADMIN_EMAIL: 'ada' },
      'LINNET_ADMIN_EMAIL is "ada": enter an e-mail address, such as ada@example.org.',
    ],
    [
      { ...account, LINNET_ADMIN_PASSWORD: 'secret' },
      'LINNET_ADMIN_PASSWORD is invalid: enter a password of at least 12 characters.',
    ],
    [
      { ...account, LINNET_BOOTSTRAP_TOKEN: 'lnt_secret' },
      'LINNET_BOOTSTRAP_TOKEN is invalid: enter lnt_ followed by at least 43 random letters, digits, - or _.',
    ],
    [
      { LINNET_ADMIN_EMAIL: 'ada@example.org' },
      'LINNET_ADMIN_EMAIL is set without LINNET_ADMIN_PASSWORD: set LINNET_ADMIN_PASSWORD too, or unset LINNET_ADMIN_EMAIL.',
    ],
    [
      { DATABASE_URL: 'postgres://ada:secret@db/linnet?sslmode=maybe' },
      'DATABASE_URL is invalid: enter sslmode=verify-full for an encrypted connection, sslmode=no-verify for one that is not checked, or no sslmode.',
    ],
    ...[
      'mysql://ada:secret@db/linnet',
      'postgres://db',
      'postgres://db/',
      'db/linnet',
      'postgres://ada:not@all/encoded@db/linnet',
    ].map((url): [Env, string] => [
      { DATABASE_URL: url },
      'DATABASE_URL is invalid: enter postgres://name:password@host/database, with %-codes for special characters, or unset it to use SQLite.',
    ]),
  ]
  test.each(refused)('%j', (env, sentence) => {
    expect(mistakesFrom(env)).toEqual([sentence])
  })

  test('an item that is no proxy is named', () => {
    const [sentence, ...rest] = mistakesFrom({ LINNET_TRUSTED_PROXIES: '10.0.0.0/8,here' })
    expect(sentence).toMatch(/^LINNET_TRUSTED_PROXIES is "10\.0\.0\.0\/8,here": "here" is neither/)
    expect(rest).toEqual([])
  })

  test('all mistakes come at once, and a wrong port is not told again as a wrong base URL', () => {
    const mistakes = mistakesFrom({
      LINNET_PORT: 'x',
      LINNET_LOG_LEVEL: 'x',
      LINNET_ADMIN_PASSWORD: 'secret',
      DATABASE_URL: 'x',
    })
    expect(mistakes.map(sentence => sentence.split(' ')[0])).toEqual([
      'LINNET_PORT',
      'DATABASE_URL',
      'LINNET_LOG_LEVEL',
      'LINNET_ADMIN_PASSWORD',
      'LINNET_ADMIN_PASSWORD',
    ])
  })

  test('no secret is repeated, also when it comes from a file', () => {
    const secrets = {
      LINNET_ADMIN_PASSWORD_FILE: fileWith('hushhus'),
      LINNET_BOOTSTRAP_TOKEN: 'lnt_hush',
      DATABASE_URL: 'mysql://ada:hush@db/linnet',
    }
    expect(mistakesFrom(secrets).length).toBeGreaterThan(2)
    expect(mistakesFrom(secrets).join('\n')).not.toContain('hush')
  })
})

test('a base URL whose host is longer than DNS allows is a mistake', () => {
  const withHost = (host: string) => ({ LINNET_BASE_URL: `https://${host}` })
  const [sentence] = mistakesFrom(withHost(`${'x.'.repeat(126)}xx`))
  expect(sentence).toContain('enter http:// or https:// followed by a host')
  const longest = withHost(`${'x.'.repeat(126)}x`)
  expect(settingsFrom(longest)).toMatchObject({ baseUrl: longest.LINNET_BASE_URL })
})

describe('a value from a file', () => {
  test('is read without the newline at its end, and nothing else is cut', () => {
    const env = {
      LINNET_ADMIN_EMAIL: 'ada@example.org',
      LINNET_ADMIN_PASSWORD_FILE: fileWith(' analytical \n\n'),
    }
    expect(settingsFrom(env).adminPassword).toBe(' analytical \n')
  })

  test('that an editor on Windows wrote has no byte order mark', () => {
    const env = {
      LINNET_ADMIN_EMAIL: 'ada@example.org',
      LINNET_ADMIN_PASSWORD_FILE: fileWith('\uFEFFanalytical engine\r\n'),
    }
    expect(settingsFrom(env).adminPassword).toBe('analytical engine')
  })

  test('counts for every variable, and for the defaults that are made of it', () => {
    expect(settingsFrom({ LINNET_PORT_FILE: fileWith('81\r\n') })).toMatchObject({
      port: 81,
      baseUrl: 'http://localhost:81',
    })
  })

  test('beside the variable itself is a mistake', () => {
    const env = { LINNET_PORT: '80', LINNET_PORT_FILE: fileWith('81') }
    expect(mistakesFrom(env)).toEqual([
      'LINNET_PORT and LINNET_PORT_FILE are both set: unset one of them.',
    ])
  })

  test('that is not there is a mistake that names the file', () => {
    const [sentence] = mistakesFrom({ LINNET_PORT_FILE: join(folder, 'nowhere') })
    expect(sentence).toMatch(/^LINNET_PORT_FILE cannot be read: .*nowhere.*Name a file/)
  })

  test('that is no text in UTF-8 is a mistake, because nobody could type a password of it', () => {
    const path = fileWith(Buffer.from('Passw\xf6rter sind gut\n', 'latin1'))
    expect(mistakesFrom({ LINNET_ADMIN_PASSWORD_FILE: path })).toEqual([
      'LINNET_ADMIN_PASSWORD_FILE cannot be read: it is not text in UTF-8. Name a file that contains the value.',
    ])
  })

  test('of more than 1 MiB is a mistake, whatever its size says', () => {
    const path = fileWith(' '.repeat(1_048_577))
    expect(mistakesFrom({ LINNET_PORT_FILE: path })).toEqual([
      'LINNET_PORT_FILE cannot be read: it has more than 1048576 bytes. Name a file that contains the value.',
    ])
  })

  test.each(['/dev/zero', '/', 'a pipe'])(
    'that is no file, and may never end, is a mistake: %s',
    what => {
      const path = what === 'a pipe' ? join(folder, 'pipe') : what
      if (what === 'a pipe') execFileSync('mkfifo', [path])
      expect(mistakesFrom({ LINNET_PORT_FILE: path })).toEqual([
        'LINNET_PORT_FILE cannot be read: it is not a regular file. Name a file that contains the value.',
      ])
    },
  )
})

describe('a variable that is no setting', () => {
  const warned: readonly [string, string][] = [
    ['LINNET_PROT', 'did you mean LINNET_PORT?'],
    ['LINNET_BASEURL', 'did you mean LINNET_BASE_URL?'],
    ['LINNET_ADMIN_PASSWORT_FILE', 'did you mean LINNET_ADMIN_PASSWORD_FILE?'],
    ['LINNET_TRUST_PROXY', 'did you mean LINNET_TRUSTED_PROXIES?'],
    ['LINNET_CARRIER_PIGEONS', 'unset it, or see linnet serve --help.'],
  ]
  test.each(warned)('%s gives a warning', (name, hint) => {
    expect(warnOfUnknown({ [name]: 'x' }, server, [])).toEqual([
      `${name} is not a setting of this version and has no effect: ${hint}`,
    ])
  })

  test('of another program is left alone', () => {
    const env = { HOME: '/root', NODE_ENV: 'production' }
    expect(warnOfUnknown(env, server, [])).toEqual([])
  })

  test('but a secret of a plugin that is on is left alone, and so is the file that holds it', () => {
    const env = { LINNET_CARRIER_KEY: 'x', LINNET_CARRIER_KEY_FILE: '/run/secrets/carrier' }
    expect(warnOfUnknown(env, server, ['LINNET_CARRIER_KEY'])).toEqual([])
  })
})

describe('the settings are told', () => {
  test('in --help, a line each', () => {
    const lines = settingsAsText(server).split('\n')
    expect(lines).toHaveLength(Object.keys(server).length)
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}LINNET_PORT +Port .+ \(8080\)$/))
  })

  test('in docs/configuration.md, with their defaults', () => {
    const document = readFileSync('docs/configuration.md', 'utf8')
    expect(squeezed(document)).toContain(squeezed(settingsAsMarkdown(server)))
  })
})

function settingsFrom(env: Env): ServerSettings {
  const read = readServerSettings(env, server)
  if ('mistakes' in read) throw new Error(read.mistakes.join('\n'))
  return read.settings
}

/** A Markdown table without padding in its columns. */
function squeezed(markdown: string): string {
  return markdown.replace(/ +/g, ' ').replace(/\| ?-+ ?(?=\|)/g, '|---')
}

function mistakesFrom(env: Env): readonly string[] {
  const read = readServerSettings(env, server)
  return 'mistakes' in read ? read.mistakes : []
}

function fileWith(text: string | Buffer): string {
  const file = join(mkdtempSync(join(folder, 'value-')), 'value')
  writeFileSync(file, text)
  return file
}

/** The settings as in the table of docs/configuration.md. */
function settingsAsMarkdown(table: ServerTable): string {
  const rows = Object.values(table).map(
    variable => `| ${names(variable)} | ${standard(variable)} | ${variable.about} |`,
  )
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n')
}

function names({ name, alias }: Variable<unknown>): string {
  return alias ? `\`${name}\`, else \`${alias}\`` : `\`${name}\``
}

function standard(variable: Variable<unknown>): string {
  return variable.default === undefined ? 'none' : `\`${variable.default}\``
}
