import { choice, definePlugin, redirect, toggle } from '../../core/plugin.ts'
import { actions, unknownAction } from './yourls/actions.ts'
import {
  dashboard,
  migrations,
  rememberSignatures,
  signatureEndpoints,
  type Tables,
} from './yourls/signatures.ts'
import { type Remembered, tokenOf } from './yourls/timed-signature.ts'
import { failed, written } from './yourls/written.ts'

/**
 * Answers programs that were written for the API of YOURLS (https://yourls.org/docs/guide/advanced/api), at the same address.
 * `docs/doors.md` says what it serves.
 */
export default definePlugin<Tables>()({
  feature: 'developer.yourls',
  label: 'YOURLS clients',
  about: 'Answer programs that were written for the API of YOURLS.',
  needs: ['developer.apiKeys', 'link.customShortCode'],
  settings: {
    sameUrl: choice(['fail', 'success'], {
      label: 'A URL that has a link already',
      hint: 'YOURLS says that it failed, with the link that there is. Programs such as n8n stop then.',
      labels: { fail: 'Say that it failed, as YOURLS does', success: 'Say that it succeeded' },
      default: 'fail',
    }),
    md5: toggle({
      label: 'Signatures by MD5',
      hint: 'For older programs, such as Better YOURLS. A signature is valid for 12 hours.',
      default: false,
    }),
  },
  migrations,
  setup: rememberSignatures,
  unstable: { dashboard },
  endpoints: signatureEndpoints,
  // YOURLS sums up all keywords of a URL there. Numbers are nobody's here but the owner's.
  views: { '+all': ({ link }, _url, { links }) => redirect(`${links.shortUrl(link)}+`) },
  mounts: {
    'yourls-api.php': {
      // ShareX sends its form as if it had files.
      bodies: ['form', 'multipart', 'json'],
      // Only the token gives access, so pages of any origin may ask, as browser extensions do.
      origins: '*',
      token: ({ input }, { settings, state, now }) =>
        tokenOf(input, { remembered: state as Remembered, takesMd5: settings.md5, at: now() }),
      async handle(request, context) {
        const { action = '' } = request.input
        const act = Object.hasOwn(actions, action) ? actions[action] : undefined
        const said = await (act ?? unknownAction)(request, context)
        return 'kind' in said ? said : written(said, request)
      },
      problem: (refusal, asked) => written(failed(refusal), asked),
    },
    // Where bookmarklets of YOURLS lead. A mount does not see who is signed in, so the form of the dashboard goes on.
    admin: {
      methods: ['GET'],
      handle({ path, query }, { links }) {
        if (path !== '' && path !== 'index.php') return undefined
        const form = new URL('/dashboard/links/new', links.apiUrl('/'))
        const url = query.get('u') ?? ['up', 'us', 'ur'].map(part => query.get(part) ?? '').join('')
        const title = query.get('t') ?? ''
        if (url !== '') form.searchParams.set('url', url.slice(0, 8_000))
        if (title !== '') form.searchParams.set('title', title.slice(0, 300))
        return redirect(form.href)
      },
    },
  },
})
