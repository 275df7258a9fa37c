import { ask, definePlugin, type Input, isRefusal, sealed } from '../../core/plugin.ts'
import { label, title, wrong } from './password-protection/texts.ts'

const input: Input = { name: 'password', label, type: 'password' }

export default definePlugin({
  feature: 'link.passwordProtection',
  about: 'Ask for a password before redirecting.',
  fields: { password: sealed({ label: 'Password', min: 4, max: 128 }) },
  guard({ password }, { guess }) {
    if (!password) return
    return async ({ link, visitor, answers }) => {
      const attempt = answers[input.name]
      if (attempt === undefined) return ask(title, [input])
      const isRight = await guess({ of: link.id, by: visitor }, () => password.matches(attempt))
      if (isRefusal(isRight)) return isRight
      if (!isRight) return ask(title, [input], wrong)
    }
  },
})
