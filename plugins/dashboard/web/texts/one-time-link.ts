/** The texts of invitations and password links: where they are created, and the page that they open. */
export const oneTimeLinkTexts = {
  title: 'Choose a password',
  heading: 'Choose a new password',
  lead: 'You will be signed in, and signed out everywhere else. Your API tokens end.',
  welcome: (name: string | null) => (name ? `Welcome, ${name}` : 'Welcome to Linnet'),
  welcomeLead: 'Choose a password for your account.',
  email: 'E-mail address',
  password: 'New password',
  passwordHint: 'At least 12 characters.',
  submit: 'Save and sign in',
  over: 'This link no longer works',
  failed: 'This link cannot be opened right now',
  signIn: 'Sign in',

  invite: 'Invitation link',
  renew: 'Password reset link',
  inviteHeading: (email: string) => `Invite ${email}`,
  renewHeading: (email: string) => `Reset the password of ${email}`,
  inviteLead:
    'Whoever opens the link chooses the password of this account and is signed in. It works once, within seven days.',
  renewLead:
    'Whoever opens the link chooses a new password for this account and is signed in; all its sessions and API tokens end. It works once, within one day. Until then the current password stays valid.',
  waiting: (until: string) =>
    `There is an unused link, valid until ${until}. If you create another, this one stops working.`,
  make: 'Create link',
  mail: 'Mail the link',
  mailed: (email: string) => `The link is on its way to ${email}.`,
  makeAgain: 'Create another link',
  revoke: 'Revoke link',
  revoked: 'The link no longer works.',
  once: 'Give this link only to the owner of the account. You cannot see it again, but you can create another.',
  onceHeading: (until: string) => `Works once, until ${until}`,
  copy: 'Copy link',
  invitedUntil: (until: string) => `Invited until ${until}`,
  renewedUntil: (until: string) => `Reset link valid until ${until}`,
  noPassword: 'No password yet',
} as const
