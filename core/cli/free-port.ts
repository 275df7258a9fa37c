import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { reasonOf } from '../lib/message-for-people.ts'
import { UserError } from '../lib/user-error.ts'
import type { Setting } from './setting.ts'
import type { ServerSettings } from './settings-from-env.ts'

/** A free port that is reserved until a server takes over from the holder. */
export interface HeldPort {
  readonly port: number
  /** Refuses all connections. Does not keep the process alive. */
  readonly holder: Server
}

/** Reserves a port (0 for any), so that no other process takes it before it is used. Rejects if it is not free. */
export async function holdPort(host: string, port = 0): Promise<HeldPort> {
  const holder = createServer(socket => socket.destroy()).listen(port, host)
  await once(holder, 'listening')
  return { port: (holder.address() as AddressInfo).port, holder: holder.unref() }
}

/** Reserves the port in the settings of a server. */
export async function holdPortOf({ port, host }: ServerSettings): Promise<HeldPort> {
  return holdPort(host, port).catch(error => {
    throw new UserError(whyNotListening(error, host, port === 0 ? 'No port' : `Port ${port}`))
  })
}

/** The environment with this port, also in the base URL, where it leaves the port open. */
export function withPort(
  env: Setting['env'],
  { port, baseUrl, dashboardUrl }: ServerSettings,
  held: HeldPort,
): Setting['env'] {
  if (port !== 0) return env
  const withHeld = (url: string) => url.replace(/:0$/, `:${held.port}`)
  return {
    ...env,
    LINNET_PORT: `${held.port}`,
    LINNET_BASE_URL: withHeld(baseUrl),
    ...(dashboardUrl && { LINNET_DASHBOARD_URL: withHeld(dashboardUrl) }),
  }
}

/** Says why a server cannot listen on the host, or on `ports` of it, and what to do. */
export function whyNotListening(error: unknown, host: string, ports: string): string {
  const { code, syscall } = error as NodeJS.ErrnoException
  const remedy =
    'Set LINNET_HOST to an address of this machine, such as 127.0.0.1, or to 0.0.0.0 for all.'
  if (syscall === 'getaddrinfo') return `The host ${host} has no known address. ${remedy}`
  if (code === 'EADDRNOTAVAIL') return `This machine does not have the address ${host}. ${remedy}`
  if (code === 'EADDRINUSE') {
    return `${ports} of ${host} is used by another program. Stop that, or change LINNET_PORT or LINNET_HOST.`
  }
  if (code === 'EACCES') {
    return `${ports} of ${host} may only be used by root. Set LINNET_PORT to one from 1024 on.`
  }
  return `${ports} of ${host} cannot be used: ${reasonOf(error)}. Change LINNET_PORT or LINNET_HOST.`
}
