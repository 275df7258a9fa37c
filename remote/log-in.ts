import { ForbiddenError } from '../client/linnet.ts'
import { UserError } from '../core/lib/user-error.ts'
import { askSecret, type Io, printJson, tell } from './io.ts'
import { knownServers } from './known-servers.ts'
import { connect, readDescription } from './read-description.ts'

interface Wanted {
  readonly url: string
  readonly name: string | undefined
  readonly inFile: boolean
  readonly asJson: boolean
}

/** `linnet login`: asks for a token, and keeps it once the server took it. */
export async function logIn({ url, name, inFile, asJson }: Wanted, io: Io): Promise<number> {
  const { host } = new URL(url)
  const servers = knownServers(io.env)
  if (isInTheOpen(url)) {
    tell(io, `${url} is not encrypted: whoever is in between can read the token.`)
  }
  // First, so that nobody sends a token to what is no Linnet.
  await readDescription(url, io)
  tell(io, `Create an API token at ${url}/dashboard/tokens, and paste it here.`)
  const token = await askSecret(io, 'Token: ')
  if (!/^[!-~]+$/.test(token))
    throw new UserError('That is no token: it is empty, or has spaces in it.')
  const who = await connect({ url, token }, io)
    .request<{ data: { email: string } }>('GET /profile', { signal: io.signal })
    .catch((error: unknown) => {
      // A token for links alone may not say whose it is.
      if (error instanceof ForbiddenError) return undefined
      throw error
    })
  const server = { name: name ?? host, url, token }
  const place = await servers.add(server, inFile)
  if (asJson) {
    await printJson(io, { name: server.name, url, email: who?.data.email ?? null, token: place })
  }
  tell(
    io,
    `Logged in to ${server.name}${who ? ` as ${who.data.email}` : ''}. The token is in ${place}.`,
  )
  return 0
}

function isInTheOpen(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !/^(localhost|127\..+|\[::1\])$/.test(hostname)
}
