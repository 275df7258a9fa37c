import { definePlugin, file, follow } from '../../core/plugin.ts'

/** A transparent pixel. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')

export default definePlugin({
  feature: 'analytics.trackingPixel',
  about: 'Count a visit by an image of one pixel, at /code/track.gif, without redirecting.',
  needs: ['analytics.visitsTracking'],
  // They would take the path for their own.
  before: ['link.paths', 'organization.frontPage'],
  unstable: {
    unknown({ path }) {
      const [, code] = /^(.+)\/track\.gif$/.exec(path) ?? []
      return code === undefined
        ? undefined
        : follow(code, undefined, undefined, file('image/gif', pixel, 0))
    },
  },
})
