import { ask, definePlugin, type Input, isRefusal, sealed } from '../../core/plugin.ts'

const input: Input = { name: 'password', label: 'Password', type: 'password' }

export default definePlugin({
  feature: 'link.passwordProtection',
  about: 'Ask for a password before redirecting.',
  fields: { password: sealed({ label: 'Password', min: 4, max: 128 }) },
  guard({ password }, { guess }) {
    if (!password) return
    return async ({ link, visitor, answers }) => {
      const attempt = answers[input.name]
      if (attempt === undefined) return ask('This link is protected', [input])
      const isRight = await guess({ of: link.id, by: visitor }, () => password.matches(attempt))
      if (isRefusal(isRight)) return isRight
      if (!isRight) return ask('This link is protected', [input], 'The password is wrong.')
    }
  },
})
