import type { ConfirmPassword } from '../../accounts/access/confirm-password.ts'
import { type Throttle, tooManyRequests } from '../../limits/throttle.ts'
import type { Refusal } from '../../plugin/outcomes.ts'
import type { Caller } from '../../plugin.ts'
import type { PluginEndpoint } from './plugin-reply.ts'
import type { Route } from './route.ts'

export interface EndpointLimitDeps {
  readonly throttle: Throttle
  readonly confirm: Pick<ConfirmPassword, 'left'>
}

/** How often an account may call a plugin's endpoint. */
export interface EndpointLimit {
  readonly left: NonNullable<Route['rateLimit']>
  /** Count a call; a refusal (429) when there were too many. Absent: what is counted is no calls. */
  count?(caller: Caller): Promise<Refusal | undefined>
}

/** The limit that an endpoint asks for; undefined when it has none. */
export function endpointLimit(
  { method, path, endpoint: { rateLimit } }: PluginEndpoint,
  { throttle, confirm }: EndpointLimitDeps,
): EndpointLimit | undefined {
  if (rateLimit === undefined) return undefined
  if (rateLimit === 'currentPassword') {
    // Nobody asks a token for it.
    return {
      left: ({ caller }) => (caller.credential === 'session' ? confirm.left(caller) : undefined),
    }
  }
  const { max, seconds } = rateLimit
  const keyOf = ({ accountId }: Caller) => `${method} ${path} ${accountId}`
  return {
    left: ({ caller }) => throttle.look(keyOf(caller), max, seconds),
    async count(caller) {
      const verdict = await throttle(keyOf(caller), max, seconds)
      return verdict.allowed ? undefined : tooManyRequests(verdict)
    },
  }
}
