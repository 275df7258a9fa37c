import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'

/** A free port that stays ours until a server takes the holder's place. */
export interface HeldPort {
  readonly port: number
  /** Turns everybody away, and keeps no process alive. */
  readonly holder: Server
}

/** Hold a port, 0 for any: one that was only looked for may be taken by the time it is used. Rejects when there is none. */
export async function holdPort(host: string, port = 0): Promise<HeldPort> {
  const holder = createServer(socket => socket.destroy()).listen(port, host)
  await once(holder, 'listening')
  return { port: (holder.address() as AddressInfo).port, holder: holder.unref() }
}

/** Why nothing can listen on the host, or on `ports` of it, as a sentence with the remedy. */
export function whyNotListening(error: unknown, host: string, ports: string): string {
  const { code, syscall, message } = error as NodeJS.ErrnoException
  const remedy =
    'Set LINNET_HOST to an address of this machine, such as 127.0.0.1, or to 0.0.0.0 for all.'
  if (syscall === 'getaddrinfo') return `The host ${host} has no known address. ${remedy}`
  if (code === 'EADDRNOTAVAIL') return `This machine does not have the address ${host}. ${remedy}`
  return `${ports} of ${host} cannot be used: ${message}. Change LINNET_PORT or LINNET_HOST.`
}
