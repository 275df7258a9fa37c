import {
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
} from 'openid-client'
import { definePlugin, z } from '../../core/plugin.ts'
import { frameMount, logoutMount } from './single-sign-on/hear-logout.ts'
import { clientOf, type OwnContext, type State } from './single-sign-on/reach-provider.ts'
import { redeem } from './single-sign-on/redeem.ts'
import { settings } from './single-sign-on/settings.ts'
import { makeTables } from './single-sign-on/used-logouts.ts'
import { whoIs } from './single-sign-on/who-is.ts'

/** What a browser carries to the provider and back. */
const kept = z.strictObject({ verifier: z.string(), nonce: z.string(), isProof: z.boolean() })

export default definePlugin({
  feature: 'organization.singleSignOn',
  label: 'Single sign-on',
  about: 'Let people sign in at a server that speaks OpenID Connect, such as that of a company.',
  settings,
  migrations: { '001-logouts': makeTables },
  setup: (): State => ({ metadata: undefined, readAt: 0, asked: undefined, keys: undefined }),
  mounts: { 'api/v1/back-channel-logout': logoutMount, 'api/v1/front-channel-logout': frameMount },
  unstable: {
    // Nobody is kept out before there is another way in.
    passwords: ({ settings }) => (isSetUp(settings) ? settings.passwords : 'everybody'),
    providers: {
      oidc: {
        label: 'Single sign-on',
        isReady: ({ settings }) => isSetUp(settings),
        async begin({ returnUrl, state, isProof }, context) {
          const client = await clientOf(context)
          const [verifier, nonce] = [randomPKCECodeVerifier(), randomNonce()]
          const url = buildAuthorizationUrl(client, {
            ...{ scope: context.settings.scopes, redirect_uri: returnUrl, state, nonce },
            code_challenge: await calculatePKCECodeChallenge(verifier),
            code_challenge_method: 'S256',
            ...(isProof && { prompt: 'login', max_age: '0' }),
          })
          return { redirect: url.href, keep: { verifier, nonce, isProof } }
        },
        finish: async ({ query, keep, returnUrl }, context) => {
          const told = await redeem({ query, returnUrl, ...kept.parse(keep) }, context)
          return 'claims' in told ? whoIs(told.claims, context) : told
        },
        async leave({ returnUrl }, context) {
          if (!context.settings.signsOutThere) return undefined
          const client = await clientOf(context)
          if (client.serverMetadata().end_session_endpoint === undefined) return undefined
          const back = { post_logout_redirect_uri: returnUrl }
          return { redirect: buildEndSessionUrl(client, back).href }
        },
      },
    },
  },
})

function isSetUp({ issuer, clientId }: OwnContext['settings']): boolean {
  return Boolean(issuer && clientId)
}
