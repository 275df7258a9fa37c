import { type Dashboard, text, toggle } from '../../../core/plugin.ts'

const shownOnce = {
  picture: { label: 'Picture to scan', as: 'picture' },
  secret: { label: 'Secret' },
  uri: { label: 'Address for apps' },
} as const

/** In the settings of each person: what one can do next, secrets that are shown once, and the passkeys. */
export const dashboard: Dashboard = {
  settings: [
    {
      title: 'Second factor',
      lead: 'An authenticator app or a passkey, asked for when you sign in.',
      from: 'GET /second-factor',
      rows: {
        isOn: {
          label: 'Second factor',
          words: { true: { label: 'On', tone: 'good' }, false: { label: 'Off' } },
        },
        passkeys: { label: 'Passkeys' },
        recoveryCodesLeft: { label: 'Recovery codes left' },
      },
      form: {
        call: 'POST /second-factor/confirm',
        fields: { code: text({ label: 'Code that the app shows', max: 100 }) },
        submit: 'Switch on',
        show: { recoveryCodes: { label: 'Recovery codes' } },
        when: { isBegun: true },
      },
      buttons: [
        {
          label: 'Set up an app',
          call: 'POST /second-factor',
          show: shownOnce,
          when: { hasApp: false },
        },
        {
          label: 'Add a passkey',
          call: 'POST /second-factor/passkeys',
          passkey: 'POST /second-factor/passkeys/confirm',
          show: { recoveryCodes: { label: 'Recovery codes' } },
        },
        {
          label: 'New recovery codes',
          call: 'POST /second-factor/recovery-codes',
          confirm: 'Those that you have will no longer work.',
          show: { recoveryCodes: { label: 'Recovery codes' } },
          when: { isOn: true },
        },
        {
          label: 'Switch off',
          call: 'DELETE /second-factor',
          confirm: 'The password alone will be enough to sign in.',
          when: { isOn: true },
        },
      ],
    },
    {
      title: 'Your passkeys',
      lead: 'Where one was lost or sold, delete it here.',
      from: 'GET /second-factor/passkeys',
      table: {
        columns: {
          name: { label: 'Name' },
          signsInAlone: {
            label: 'Signs you in',
            words: {
              true: { label: 'Without the password', tone: 'good' },
              false: { label: 'After the password' },
            },
          },
          createdAt: { label: 'Created', as: 'date' },
          lastUsedAt: { label: 'Last used', as: 'date' },
        },
        edit: {
          call: 'PATCH /second-factor/passkeys/:id',
          fields: {
            name: text({ label: 'Name', hint: 'Where the passkey is.', max: 100 }),
            signsInAlone: toggle({
              label: 'Signs me in without the password',
              hint: 'The device asks for a finger, a face or a PIN.',
            }),
          },
          submit: 'Save',
        },
        buttons: [
          {
            label: 'Delete',
            call: 'DELETE /second-factor/passkeys/:id',
            confirm:
              'Nobody signs in with this passkey any more. Without another one and without an app, the password alone will be enough.',
          },
        ],
      },
    },
  ],
}
