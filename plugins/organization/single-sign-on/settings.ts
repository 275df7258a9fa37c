import { choice, field, list, optional, secret, text, toggle, z } from '../../../core/plugin.ts'

/** Without TLS anybody on the way could say who signs in, so only a provider on this machine may have none. */
const issuerPattern = /^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$))\S*$/

const domains = z
  .array(
    z
      .string()
      .regex(/^[^\s@]+\.[^\s@.]+$/, 'Enter domains such as example.org.')
      .max(253),
  )
  .max(100)
  .readonly()

const groupsWithPlans = z
  .array(
    z
      .string()
      .regex(/^.*\S\s*=\s*[\w-]+\s*$/, 'Enter lines such as staff = pro.')
      .max(500),
  )
  .max(100)
  .readonly()

/** What an operator says of the provider, and of who may come from there. */
export const settings = {
  issuer: optional(
    text({
      label: 'Issuer',
      hint: 'Such as https://login.example.org, as the provider writes it.',
      pattern: issuerPattern,
    }),
  ),
  clientId: optional(text({ label: 'Client ID' })),
  clientSecret: secret({ label: 'Client secret', env: 'LINNET_OIDC_SECRET' }),
  scopes: text({
    label: 'Scopes',
    hint: 'What the provider is asked for, with openid among it.',
    default: 'openid profile email',
    pattern: /^(?=(.* )?openid( |$))[!-~]+( [!-~]+)*$/,
  }),
  matchesAddresses: toggle({
    label: 'Sign people in to the account with their verified address',
    hint: 'Whoever gets an address at the provider gets the account that has it here.',
    default: false,
  }),
  createsAccounts: toggle({ label: 'Make accounts for people who have none', default: false }),
  trustsAddresses: toggle({
    label: 'Trust addresses of which the provider does not say whether they are verified',
    hint: 'Only for a provider where nobody can enter an address of somebody else.',
    default: false,
  }),
  allowedDomains: field<readonly string[]>(domains, {
    label: 'Allowed domains',
    hint: 'Only people with a verified address there come in. If empty, all.',
    control: 'list',
    default: [],
  }),
  groupsClaim: text({
    label: 'Claim with the groups',
    hint: 'Such as groups or realm_access.roles.',
    default: 'groups',
  }),
  allowedGroups: list({
    label: 'Allowed groups',
    hint: 'Only people in one of them come in. If empty, all.',
    default: [],
  }),
  adminGroups: list({
    label: 'Groups of admins',
    hint: 'Whoever is in one of them is an admin, and nobody else whom the provider signs in. If empty, nothing changes.',
    default: [],
  }),
  planGroups: field<readonly string[]>(groupsWithPlans, {
    label: 'Plans of groups',
    hint: 'Lines such as staff = pro; the first that fits is taken. * = free is for everybody else.',
    control: 'list',
    default: [],
  }),
  signsOutThere: toggle({
    label: 'Sign people out there, too',
    hint: 'Where the provider offers that. It may end their sessions elsewhere.',
    default: false,
  }),
  passwords: choice(['everybody', 'admins', 'nobody'], {
    label: 'Who may sign in by password, too',
    labels: { everybody: 'Everybody', admins: 'Admins only', nobody: 'Nobody' },
    default: 'everybody',
  }),
}
