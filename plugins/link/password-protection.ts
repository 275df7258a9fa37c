import { ask, definePlugin, type Input, refuse, sealed } from '../../core/plugin.ts'

const input: Input = { name: 'password', label: 'Password', type: 'password' }

export default definePlugin({
  feature: 'link.passwordProtection',
  about: 'Ask for a password before redirecting.',
  fields: { password: sealed({ label: 'Password', min: 4, max: 128 }) },
  guard({ password }, { throttle }) {
    if (!password) return
    return async ({ link, visitor, answers }) => {
      const attempt = answers[input.name]
      if (attempt === undefined) return ask('This link is protected', [input])
      if (!(await throttle(`${link.id} ${visitor}`, 5, 60))) {
        return refuse('too_many_attempts', 'Too many attempts. Try again in a minute.', 429)
      }
      if (!(await throttle(link.id, 100, 3600))) {
        return refuse('too_many_attempts', 'Too many attempts on this link. Try again later.', 429)
      }
      if (!(await password.matches(attempt))) {
        return ask('This link is protected', [input], 'That is not the password.')
      }
    }
  },
})
