import { type File, file, type Mount } from '../../../core/plugin.ts'
import { checkLogout, tokenLifeMs } from './check-logout.ts'
import { discover, type OwnContext, type State } from './reach-provider.ts'
import type { settings } from './settings.ts'
import { isUsed, noteUsed, type Tables } from './used-logouts.ts'

type LogoutMount = Mount<typeof settings, State, Tables>

/** Where the provider says that somebody signed out there: OpenID Connect Back-Channel Logout 1.0. */
export const logoutMount: LogoutMount = {
  methods: ['POST'],
  bodies: ['form'],
  async handle({ input }, context) {
    const { issuer, clientId } = context.settings
    return issuer && clientId ? hear(input.logout_token ?? '', context) : undefined
  },
  // The standard has one status for what is wrong, and for what failed here.
  problem: ({ status, detail }) => refused(detail, status === 500 ? 400 : status),
}

/**
 * What the browser of somebody loads in a frame who signs out at the provider: OpenID Connect Front-Channel Logout 1.0. It needs no
 * cookie, which browsers do not send from frames: who knows the name of a session there may end it. Microsoft Entra leaves out the issuer.
 */
export const frameMount: LogoutMount = {
  methods: ['GET'],
  async handle({ input: { sid, iss } }, context) {
    if (!context.settings.issuer || !context.settings.clientId) return undefined
    const known = await discover(context).catch(() => undefined)
    if (!known) return refused('The provider does not answer now.', 503)
    const { issuer } = known
    if (!sid || (iss ?? issuer) !== issuer) return refused('This names no session of the provider.')
    await context.unstable.signIn.endSessions({ issuer, session: sid })
    return file('text/plain', '', 0)
  },
}

async function hear(token: string, context: OwnContext): Promise<File> {
  const { log, unstable } = context
  try {
    const { id, ended } = await checkLogout(token, context)
    if (await isUsed(id, context)) throw new Error('it was used before')
    await unstable.signIn.endSessions(ended)
    // Last, so that what failed can be sent again.
    await noteUsed(id, tokenLifeMs, context)
    return file('text/plain', '', 0, 200)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    log.warn(`Nobody was signed out by a logout token: ${why}`)
    return refused('This is no logout token for this client, or it was used before.')
  }
}

/** As OAuth 2.0 writes errors, which the standard wants. */
function refused(error_description: string, status = 400): File {
  const content = JSON.stringify({ error: 'invalid_request', error_description })
  return file('application/json', content, 0, status)
}
