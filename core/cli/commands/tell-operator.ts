import { existsSync } from 'node:fs'
import { bootstrapTokenId, isGuessable } from '../../accounts/access/bootstrap-token.ts'
import type { App } from '../../app/app.ts'
import { trustsEverybody } from '../../http/request/client-address.ts'
import { isLoopback } from '../../lib/net/web-address.ts'
import type { Log } from '../../plugin.ts'
import { settingsBeside } from '../../storage/backups/settings-beside.ts'
import { digestOfUrl, serversOn } from '../../storage/servers.ts'
import { unknownVariables } from '../expect-environment.ts'
import { databaseFile } from '../find-instance.ts'
import type { Setting } from '../setting.ts'
import type { ServerSettings } from '../settings-from-env.ts'

/** Logs that the server is ready, what to do first, and which settings probably do not do what was meant. */
export async function tellOperator(
  app: App,
  setting: Setting,
  server: ServerSettings,
  log: Log,
): Promise<{ stop(): void }> {
  const running = app.plugins.running.map(({ plugin }) => plugin)
  for (const warning of await unknownVariables(setting, running)) log.warn(warning)
  await greet(app, server, log)
  warnOfTrust(server, log)
  warnOfUnusedFile(server, log)
  if (server.databaseUrl !== undefined) await warnOfOtherUrls(app, server, log)
  await tellOfBootstrapToken(app, server, log)
  return warnOfSettingsFile(server, log)
}

async function greet(app: App, server: ServerSettings, log: Log): Promise<void> {
  const { host, port, baseUrl, dashboardUrl = baseUrl, dataDir } = server
  log.info(`Linnet is ready at ${baseUrl}`, { url: baseUrl, host, port, dataDir })
  const code = await app.setUp.oneTimeCode()
  if (code === undefined) return
  const hasHome = app.plugins.running.some(({ plugin }) => plugin.site?.home)
  const details = { setupCode: code }
  // Browsers do not send the part after a #.
  if (hasHome) {
    log.info(
      `There is no account yet. Create the first admin with linnet setup, or at this address, which ends with the setup code: ${dashboardUrl}/#${code}`,
      details,
    )
  } else {
    log.info(
      `There is no account yet. Create the first admin with linnet setup, or with the setup code ${code} by POST ${dashboardUrl}/api/v1/setup`,
      details,
    )
  }
}

/** With a number of proxies, or with all addresses, every client that connects counts as the nearest proxy, and can claim any address. */
function warnOfTrust({ trustedProxies, host }: ServerSettings, log: Log): void {
  if (isLoopback(host)) return
  if (trustsEverybody(trustedProxies)) {
    log.warn(
      'LINNET_TRUSTED_PROXIES has all addresses, so anyone who reaches this port can fake their IP address. ' +
        'Set only the networks of the proxies, such as 10.0.0.0/8, or make sure that only the proxy reaches the port.',
    )
  }
  if (trustedProxies.kind !== 'hops') return
  log.warn(
    'LINNET_TRUSTED_PROXIES is a number, so anyone who reaches this port without a proxy can fake their IP address. ' +
      'Set the networks of the proxies instead, such as 10.0.0.0/8, or make sure that only the proxy reaches the port.',
  )
}

/** Servers on one database serve the same links, so they should have the same short URLs. */
async function warnOfOtherUrls({ db }: App, { baseUrl }: ServerSettings, log: Log): Promise<void> {
  const ofThisServer = digestOfUrl(baseUrl)
  const others = (await serversOn(db)).filter(it => it.baseUrl !== ofThisServer)
  if (others.length === 0) return
  const names = others.map(({ name }) => name).join(', ')
  log.warn(
    `Other servers on this database have another LINNET_BASE_URL than ${baseUrl}: ${names}. Set the same on all, ` +
      'otherwise they show different short URLs for the same link.',
  )
}

/** Setting DATABASE_URL on an instance with a database file hides all its links. */
function warnOfUnusedFile(server: ServerSettings, log: Log): void {
  const file = databaseFile(server)
  if (server.databaseUrl === undefined || !existsSync(file)) return
  log.warn(`${file} is not used, and its links are not found: DATABASE_URL is set.`)
}

/** Settings that servers share are not read from a file. Warns once if somebody writes one. */
function warnOfSettingsFile(server: ServerSettings, log: Log): { stop(): void } {
  const path = settingsBeside(databaseFile(server))
  const look = () => {
    if (server.databaseUrl === undefined || !existsSync(path)) return
    clearInterval(timer)
    log.warn(
      `${path} is not read: with DATABASE_URL settings are in the database. Change them in the dashboard, over the ` +
        'API or with linnet plugins.',
    )
  }
  const timer = setInterval(look, settingsFileMs).unref()
  look()
  return { stop: () => clearInterval(timer) }
}

const settingsFileMs = 5_000

/** The token of LINNET_BOOTSTRAP_TOKEN may do everything until somebody revokes it. */
async function tellOfBootstrapToken(app: App, server: ServerSettings, log: Log): Promise<void> {
  const id = await bootstrapTokenId(app.db)
  if (id === undefined) return
  const { bootstrapToken: token } = server
  log.info(
    'The token of LINNET_BOOTSTRAP_TOKEN is active and may do everything. ' +
      `To end it, ${token === undefined ? '' : 'unset the variable, then '}DELETE /api/v1/api-tokens/${id}`,
    { token: id },
  )
  if (token !== undefined && isGuessable(token)) {
    log.warn('LINNET_BOOTSTRAP_TOKEN repeats itself and can be guessed: use a random one.')
  }
}
