import { definePlugin, file, follow, redirect } from '../../core/plugin.ts'
import { problemOf } from './shlink/answers.ts'
import { decoded } from './shlink/asked.ts'
import { drawQrCode, qrCodeUrl } from './shlink/qr-code.ts'
import { answerAsked } from './shlink/routes.ts'

/** A transparent pixel. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')

/**
 * Answers programs that were written for the REST API of Shlink (https://shlink.io/documentation/api-docs), at the same addresses.
 * `docs/doors.md` says what it serves.
 */
export default definePlugin({
  feature: 'developer.shlink',
  label: 'Shlink clients',
  about: 'Answer programs that were written for the API of Shlink.',
  needs: ['developer.apiKeys', 'link.customShortCode'],
  // They would take the paths behind a code for their own.
  before: ['link.paths', 'organization.frontPage'],
  unstable: {
    async unknown({ host, path, query }, { links }) {
      const [, code = '', what] = /^(.+)\/(track|qr-code)$/.exec(path) ?? []
      if (what === 'track') return follow(code, undefined, undefined, file('image/gif', pixel, 0))
      if (what !== 'qr-code') return undefined
      const link = await links.findByCode(decoded(code), host)
      return link && redirect(qrCodeUrl(links, link, query))
    },
  },
  mounts: {
    rest: {
      methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      headers: ['x-api-key'],
      bodies: ['json', 'form'],
      maxBytes: 64 * 1024,
      // Its web clients are on other hosts. Only the key gives access.
      origins: '*',
      token: ({ headers, query, path }) =>
        headers['x-api-key'] ??
        (/^v\d\/short-urls\/shorten$/.test(path) ? (query.get('apiKey') ?? undefined) : undefined),
      handle: (request, context) =>
        request.path === 'qr-code' ? drawQrCode(request, context) : answerAsked(request, context),
      problem: (refusal, asked) => problemOf(refusal, asked),
    },
  },
})
