import { defineConfig } from 'vitest/config'
import { builtProgram } from '../built-program.ts'
import { patience } from '../patience.ts'

/** Tests of every detail, which take minutes: `npm run test:pages` runs them, `npm test` the others. */
export const pages = [
  'test/browser/dashboard/admin-accounts.test.ts',
  'test/browser/dashboard/admin-brand.test.ts',
  'test/browser/dashboard/admin-looks.test.ts',
  'test/browser/dashboard/admin-operating.test.ts',
  'test/browser/dashboard/admin-packages.test.ts',
  'test/browser/dashboard/admin-plans.test.ts',
  'test/browser/dashboard/admin-plugins.test.ts',
  'test/browser/dashboard/analytics.test.ts',
  'test/browser/dashboard/api-page.test.ts',
  'test/browser/dashboard/apps.test.ts',
  'test/browser/dashboard/campaigns.test.ts',
  'test/browser/dashboard/choices.test.ts',
  'test/browser/dashboard/domains.test.ts',
  'test/browser/dashboard/every-page.test.ts',
  'test/browser/dashboard/from-outside.test.ts',
  'test/browser/dashboard/hostile-words.test.ts',
  'test/browser/dashboard/import.test.ts',
  'test/browser/dashboard/languages.test.ts',
  'test/browser/dashboard/link-form.test.ts',
  'test/browser/dashboard/link-list-details.test.ts',
  'test/browser/dashboard/looks.test.ts',
  'test/browser/dashboard/mail.test.ts',
  'test/browser/dashboard/new-link-form.test.ts',
  'test/browser/dashboard/one-time-link.test.ts',
  'test/browser/dashboard/palette.test.ts',
  'test/browser/dashboard/plugin-places.test.ts',
  'test/browser/dashboard/qr-look.test.ts',
  'test/browser/dashboard/rules.test.ts',
  'test/browser/dashboard/settings.test.ts',
  'test/browser/dashboard/sign-in.test.ts',
  'test/browser/dashboard/strangers-text.test.ts',
  'test/browser/dashboard/tags.test.ts',
  'test/browser/dashboard/tokens.test.ts',
  'test/browser/dashboard/webhooks.test.ts',
  'test/browser/dashboard/yourls-signatures.test.ts',
  'test/browser/visitor-looks.test.ts',
]

/**
 * Chromium drops its connections when a network of the machine comes or goes, as with containers and VPNs. That says
 * nothing about Linnet, so the test runs again.
 */
export const retry = { count: 3, condition: /net::ERR_NETWORK_CHANGED/ }

export default defineConfig({
  plugins: [builtProgram],
  test: {
    include: pages,
    pool: 'forks',
    isolate: false,
    maxWorkers: 3,
    retry,
    ...patience,
    // They run at night alone, with all cases.
    env: { LINNET_TEST_NIGHT: '1' },
  },
})
