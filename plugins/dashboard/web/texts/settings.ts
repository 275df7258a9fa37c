/** The texts of the settings page. */
export const settingsTexts = {
  title: 'Settings',
  profile: 'Profile',
  profileLead: 'Your name and address. Only you and the admins of this instance can see them.',
  fullName: 'Name',
  email: 'E-mail address',
  emailHint: 'You sign in with this address.',
  isAdmin: 'Admin',
  plan: 'Plan',
  planLead: (resets: string) => `Your usage so far. Monthly limits reset on ${resets}.`,
  usage: {
    links: 'Links created this month',
    visits: 'Visits counted this month',
  },
  usedOf: (used: string, max: string) => `${used} of ${max}`,
  usedUnlimited: (used: string) => `${used} · unlimited`,
  usedUp: {
    links: 'You cannot create more links this month.',
    visits: 'Your links keep working, but further visits are not counted this month.',
    things: (label: string) => `You have reached the limit of your plan: ${label}.`,
  },
  included: 'What the plan includes',
  includes: (count: string, total: string) => `${count} of ${total}`,
  yes: 'Included:',
  no: 'Not included:',
  groups: {
    link: 'Links',
    organization: 'Organisation',
    analytics: 'Analytics',
    developer: 'For developers',
    other: 'More',
  },
  appearance: 'Appearance',
  appearanceLead: 'Saved in this browser only.',
  shortcuts: 'Keyboard shortcuts',
  shortcutsHint: 'Single keys that act at once. Turn them off if you use voice input.',
  keys: { '/': 'Search links', c: 'New link', '?': 'Show all shortcuts' },
  password: 'Password',
  passwordLead: 'Changing it ends all other sessions.',
  noPasswordLead: 'You have no password yet. Set one to sign in here.',
  currentPassword: 'Current password',
  askedPassword: 'Enter your password',
  askedPasswordLead: 'This step needs your password, in case somebody else is using your browser.',
  askedPasswordSubmit: 'Continue',
  wrongPassword: 'This is not your current password.',
  newPassword: 'New password',
  newPasswordHint: 'At least 12 characters.',
  changePassword: 'Change password',
  passwordChanged: 'Password changed. All other sessions have ended.',
  sessions: 'Sessions',
  sessionsLead: 'Where you are signed in. Linnet does not store which browsers you use.',
  session: 'Session',
  thisSession: 'This browser',
  signedIn: (when: string) => `Signed in ${when}`,
  lastSeen: (when: string) => `Last seen ${when}`,
  end: 'End',
  endOf: (when: string) => `End the session of ${when}`,
  ended: 'Session ended.',
  endOthers: 'End all other sessions',
  othersEnded: 'All other sessions have ended.',
  delete: 'Delete account',
  deleteLead:
    'This deletes your account with all its links, tags, campaigns and statistics. This cannot be undone.',
  deleteStart: 'Delete account',
  deleteWarning:
    'All your short URLs stop working at once, including those already printed or sent.',
  deleteConfirm: (email: string) => `Type ${email} to confirm`,
  deleteSubmit: 'Delete permanently',
  lastAdmin:
    'You are the only admin, and this instance needs one. Make another account an admin first.',
  lastAdminLink: 'Go to accounts',
} as const

/** The texts about creating links without opening the dashboard first. */
export const toolsTexts = {
  heading: 'Shorten from anywhere',
  lead: 'Create a link to the page you are viewing. You see the form before the link is created.',
  bookmark: 'Shorten with Linnet',
  drag: 'Drag this to your bookmarks bar. Click it on any page to open the form with that page filled in.',
  notHere:
    'Drag it to your bookmarks bar. Then click it there while you view the page you want a link to.',
  byHand: 'Or create a bookmark with this URL:',
  copy: 'Copy bookmarklet',
  phone:
    'On a phone, add this page to your home screen. If your browser supports it, you can then share pages to Linnet.',
} as const

/** The texts about signing in with more than a password. */
export const signInTexts = {
  with: (provider: string) => `Sign in with ${provider}`,
  or: 'or',
  letters: 'Show letters on the keyboard',
  digits: 'Show digits on the keyboard',
  back: 'Start over',
  proveHeading: 'Sign in once more',
  proveLead:
    'This step needs a recent sign-in, in case somebody else is using your browser. You come back to this page. What you have typed here is lost.',
  problems: {
    no_account:
      'There is no account for you here. Ask an admin for one, or sign in with your password.',
    other_account: 'You signed in there as somebody else than here.',
    sign_in_expired: 'Signing in took too long, or began in another browser. Try again.',
    sign_in_failed: 'Signing in there did not work. Try again later.',
    second_step_unavailable:
      'The second step cannot be asked at the moment. Try again later, or tell whoever runs this server.',
    unauthenticated: 'Your session has ended. Sign in first.',
  },
  otherProblem: (why: string) => `Signing in there did not work: ${why}.`,
  methods: {
    pwd: 'password',
    otp: 'one-time code',
    hwk: 'security key',
    swk: 'passkey',
    sms: 'text message',
    fed: 'another server',
  },
  by: (methods: string) => `by ${methods}`,
  provenAt: (when: string) => `confirmed ${when}`,
} as const
