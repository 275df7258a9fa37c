import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'
import { email, maxPassword, minPassword } from '../core/accounts/account-fields.ts'
import type { ServerTable } from '../core/cli/settings-from-env.ts'
import { parseTrustedProxies } from '../core/http/request/client-address.ts'
import { mostWorkers } from '../core/lib/memory/memory-shares.ts'
import { parseOwnNetwork } from '../core/lib/net/own-network.ts'
import { parseUrl } from '../core/lib/net/parse-url.ts'
import { parseTargetSchemes } from '../core/lib/net/target-schemes.ts'

const yesOrNo = z
  .enum(['true', 'false', '1', '0'], 'Enter true or false.')
  .transform(text => text === 'true' || text === '1')

/** A folder named `~`, `"` or `$HOME` would be made, since only a shell replaces these. */
const path = z
  .string()
  .regex(
    /^(?!.*\$[a-z_{(])[^~"']/i,
    'Enter a path in full, without quotes and variables: nothing replaces ~ or $HOME here.',
  )
  .transform(text => resolve(text))

const days = z
  .string()
  .regex(/^[1-9]\d{0,4}$/, 'Enter a whole number of days from 1 to 99999.')
  .transform(Number)

/**
 * The settings of the server. Each comes from an environment variable, or from a file whose path is in the variable of
 * the same name with `_FILE` appended.
 */
export const server: ServerTable = {
  // All interfaces, so that the same default suits `npm start`, a container and a hosting platform. Without credentials
  // only redirects are open: even the setup of the first admin needs a code from the log.
  host: {
    name: 'LINNET_HOST',
    about: 'Address to listen on: 127.0.0.1 for this machine only, :: for IPv6 as well.',
    default: '0.0.0.0',
    schema: z.string().refine(isHost, 'Enter an IP address or a host name, such as 127.0.0.1.'),
  },
  port: {
    name: 'LINNET_PORT',
    alias: 'PORT',
    about: 'Port to listen on; 0 takes any free port, and the log says which.',
    default: '8080',
    schema: z
      .string()
      .regex(/^\d{1,5}$/, 'Enter a whole number from 0 to 65535.')
      .transform(Number)
      .refine(port => port <= 65_535, 'Enter a whole number from 0 to 65535.'),
  },
  baseUrl: {
    name: 'LINNET_BASE_URL',
    about: 'Origin that visitors reach and short URLs start with, such as https://go.example.org.',
    default: 'http://localhost:$LINNET_PORT',
    schema: z
      .string()
      .refine(
        isOrigin,
        'Enter http:// or https:// followed by a host and nothing else, such as https://go.example.org.',
      )
      .transform(text => new URL(text).origin),
  },
  dashboardUrl: {
    name: 'LINNET_DASHBOARD_URL',
    about:
      'Origin of the dashboard and the API, such as https://links.example.org, if the host of LINNET_BASE_URL shall answer short URLs alone.',
    schema: z
      .string()
      .refine(
        isOrigin,
        'Enter http:// or https:// followed by a host and nothing else, such as https://links.example.org.',
      )
      .transform(text => new URL(text).origin),
  },
  dataDir: {
    name: 'LINNET_DATA_DIR',
    about: 'Folder of the database, the settings and the backups; created if it does not exist.',
    default: './data',
    schema: path,
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    about:
      'PostgreSQL database instead of SQLite, such as postgres://linnet:password@db.example.org/linnet; the data folder keeps the rest.',
    secret: true,
    schema: z
      .string()
      .refine(
        isPostgres,
        'Enter postgres://name:password@host/database, with %-codes for special characters, or unset it to use SQLite.',
      )
      .refine(
        hasKnownSslMode,
        'Enter sslmode=verify-full for an encrypted connection, sslmode=no-verify for one that is not checked, or no sslmode.',
      )
      .transform(withFullSslMode),
  },
  workers: {
    name: 'LINNET_WORKERS',
    about:
      'How many processes serve on this port, with PostgreSQL on Linux; auto is one for each processor core, if there is memory for it.',
    default: '1',
    needs: ['DATABASE_URL'],
    schema: z
      .string()
      .regex(/^([1-9]\d{0,2}|auto)$/, 'Enter a whole number from 1 to 999, or auto.')
      .transform(text =>
        text === 'auto' ? Math.min(availableParallelism(), mostWorkers()) : Number(text),
      )
      .refine(count => count <= mostWorkers(), {
        error: () => `Enter at most ${mostWorkers()}, or auto: each needs 128 MiB of memory.`,
      }),
  },
  trustedProxies: {
    name: 'LINNET_TRUSTED_PROXIES',
    about:
      'Networks of the proxies in front, such as 10.0.0.0/8, or how many there are; their X-Forwarded-For is trusted.',
    default: '0',
    schema: readBy(parseTrustedProxies),
  },
  corsOrigins: {
    name: 'LINNET_CORS_ORIGINS',
    about:
      'Origins whose pages may call the API with a token, such as https://app.example.org, separated by commas; * for all.',
    default: 'none',
    schema: z
      .string()
      .refine(
        text => text === '*' || readList(text).every(isOrigin),
        'Enter *, none, or origins separated by commas, such as https://app.example.org.',
      )
      // As browsers write it in the Origin header.
      .transform(text => (text === '*' ? text : readList(text).map(it => new URL(it).origin))),
  },
  otherHosts: {
    name: 'LINNET_OTHER_HOSTS',
    about:
      'What to do with requests for hosts that are neither in LINNET_BASE_URL nor a custom domain: answer, or refuse with 421.',
    default: 'answer',
    schema: z.enum(['answer', 'refuse'], 'Enter answer or refuse.'),
  },
  targetSchemes: {
    name: 'LINNET_TARGET_SCHEMES',
    about:
      'Schemes that addresses of links may have besides http and https, such as mailto,tel,myapp. If unset, none.',
    default: 'none',
    schema: readBy(parseTargetSchemes),
  },
  fastLane: {
    name: 'LINNET_FAST_LANE',
    about:
      'Whether to answer plain links without Node’s HTTP server, which takes half the time: true or false.',
    default: 'true',
    schema: yesOrNo,
  },
  geoipFiles: {
    name: 'LINNET_GEOIP_FILE',
    about:
      'MMDB file that says where visitors are, such as GeoLite2-City.mmdb, or two separated by a comma, such as one for IPv4 and one for IPv6. If unset, the files that come with Linnet.',
    schema: z
      .string()
      .transform(text => text.split(',').map(it => it.trim()))
      .refine(
        paths => paths.every(Boolean),
        'Enter the path of an MMDB file, or two separated by a comma.',
      )
      .pipe(z.array(path)),
  },
  hourlyDays: {
    name: 'LINNET_HOURLY_DAYS',
    about: 'For how many days counts by the hour are kept; older counts are kept by the day.',
    default: '60',
    schema: days,
  },
  retentionDays: {
    name: 'LINNET_RETENTION_DAYS',
    about: 'After how many days counts are deleted, except the totals of links. If unset, never.',
    schema: days,
  },
  deletedDays: {
    name: 'LINNET_DELETED_LINKS_DAYS',
    about: 'For how many days a deleted link can be restored; 0 deletes links for good.',
    default: '30',
    schema: z
      .string()
      .regex(/^\d{1,4}$/, 'Enter a whole number from 0 to 9999.')
      .transform(Number),
  },
  backupsKept: {
    name: 'LINNET_BACKUPS_KEPT',
    about: 'How many of the nightly backups are kept; 0 makes none.',
    default: '7',
    schema: z
      .string()
      .regex(/^\d{1,4}$/, 'Enter a whole number from 0 to 9999.')
      .transform(Number),
  },
  logLevel: {
    name: 'LINNET_LOG_LEVEL',
    about: 'Lowest level that is logged: info, warn or error.',
    default: 'info',
    schema: z.enum(['info', 'warn', 'error'], 'Enter info, warn or error.'),
  },
  logFormat: {
    name: 'LINNET_LOG_FORMAT',
    about:
      'Format of the log: json for programs, text for people, or auto, which is text on a terminal and JSON elsewhere.',
    default: 'auto',
    schema: z.enum(['auto', 'json', 'text'], 'Enter auto, json or text.'),
  },
  logsAddresses: {
    name: 'LINNET_LOG_ADDRESSES',
    about:
      'Whether warnings of wrong guesses include the client’s IP address, as fail2ban needs it: true or false.',
    default: 'false',
    schema: yesOrNo,
  },
  plugins: {
    name: 'PLUGINS',
    about:
      'Features that are on: all, none, or a list separated by commas, such as link.passwordProtection,developer.apiKeys.',
    default: 'all',
    schema: z.string().transform((text, context) => {
      const features = readFeatures(text)
      const wrong =
        features === 'all' ? undefined : features.find(it => !/^[a-z]\w*\.[a-z]\w*$/i.test(it))
      if (wrong === undefined) return features
      context.addIssue(
        `${JSON.stringify(wrong)} is not a feature. Enter all, none, or features separated by commas, ` +
          'such as link.passwordProtection,developer.apiKeys.',
      )
      return z.NEVER
    }),
  },
  installsPlugins: {
    name: 'LINNET_PLUGIN_INSTALL',
    about:
      'Whether admins may install plugins over the API, which runs the plugins’ code on this server: true or false.',
    default: 'false',
    schema: yesOrNo,
  },
  pluginIndex: {
    name: 'LINNET_PLUGIN_INDEX',
    about:
      'URL of a JSON file that lists plugins, for linnet plugins search and the dashboard. It is read at the start and each day too, to learn which were withdrawn.',
    default: 'none',
    // It is shown to admins and in messages, so it must not have a password.
    schema: z
      .url({ protocol: /^https?$/, error: 'Enter a URL with https or http.' })
      .refine(url => URL.parse(url)?.username === '', 'Enter a URL without a name and a password.'),
  },
  ownNetwork: {
    name: 'LINNET_FETCH_ALLOW',
    about:
      'Addresses, networks or hosts of private networks that plugins may connect to, such as 192.168.1.0/24,n8n.lan. If unset, none.',
    default: 'none',
    schema: readBy(parseOwnNetwork),
  },
  adminEmail: {
    name: 'LINNET_ADMIN_EMAIL',
    about:
      'Creates the first admin at the first start, instead of the setup page. Later it has no effect.',
    needs: ['LINNET_ADMIN_PASSWORD'],
    schema: email,
  },
  adminPassword: {
    name: 'LINNET_ADMIN_PASSWORD',
    about: 'Password of that admin: at least 12 characters, and not a common one.',
    needs: ['LINNET_ADMIN_EMAIL'],
    secret: true,
    // Fully checked only when the admin is created, so that instances set up with a shorter password still start.
    schema: z
      .string()
      .min(8, `Enter a password of at least ${minPassword} characters.`)
      .max(maxPassword, `Enter a password of at most ${maxPassword} characters.`),
  },
  bootstrapToken: {
    name: 'LINNET_BOOTSTRAP_TOKEN',
    about:
      'API token of that admin, for scripts: lnt_ followed by at least 43 random letters, digits, - or _.',
    secret: true,
    schema: z
      .string()
      .regex(
        /^lnt_[\w-]{43,}$/,
        'Enter lnt_ followed by at least 43 random letters, digits, - or _.',
      ),
  },
}

function isHost(text: string): boolean {
  return isIP(text) !== 0 || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(text)
}

/** Whether a text is an http or https URL without path, query, fragment or credentials. */
function isOrigin(text: string): boolean {
  if (!/^https?:\/\//i.test(text)) return false
  const url = parseUrl(text)
  return url !== undefined && url.href === `${url.origin}/` && isHostName(url.hostname)
}

/** What DNS can have, with or without a dot at its end, or an address; parsing a URL lets other names through, such as `*.x`. */
function isHostName(name: string): boolean {
  if (name.startsWith('[')) return true
  const labels = name.replace(/\.$/, '').split('.')
  return name.length <= 253 && labels.every(it => /^\w([\w-]{0,61}\w)?$/.test(it))
}

/** A text that `parse` reads, or says what is wrong with. */
function readBy<Value>(parse: (text: string) => Value | string) {
  return z.string().transform((text, context): Value => {
    const value = parse(text)
    if (typeof value !== 'string') return value
    context.addIssue(value)
    return z.NEVER
  })
}

function readFeatures(text: string): 'all' | readonly string[] {
  return text === 'all' ? text : readList(text)
}

function readList(text: string): readonly string[] {
  return text === 'none' ? [] : text.split(',').map(item => item.trim())
}

function isPostgres(text: string): boolean {
  const url = parseUrl(text)
  // An unescaped slash or @ in the password ends up in the path.
  return (
    url !== undefined && /^postgres(ql)?:$/.test(url.protocol) && /^\/[^/@]+$/.test(url.pathname)
  )
}

function hasKnownSslMode(text: string): boolean {
  const mode = parseUrl(text)?.searchParams.get('sslmode') ?? 'disable'
  return ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'].includes(mode)
}

/** The PostgreSQL client treats these modes as verify-full, but warns that a later version will not. */
function withFullSslMode(text: string): string {
  return text.includes('uselibpqcompat=')
    ? text
    : text.replace(/([?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, '$1verify-full')
}
