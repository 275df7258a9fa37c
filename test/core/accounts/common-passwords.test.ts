import { expect, test } from 'vitest'
import { newPassword } from '../../../core/accounts/account-fields.ts'

const common = 'too common'

test.each([
  ['short words', 'at least 12 characters'],
  ['12345678', 'at least 12 characters'],
  ['qwertyuiop123', common],
  ['Password1234', common],
  ['P@ssw0rd2026!', common],
  ['!!!football!!!', common],
  ['123456789012', common],
  ['----------------', common],
  ['aaaaaaaaaaaa', common],
  ['abcdabcdabcd', common],
  ['x'.repeat(129), 'at most 128 characters'],
])('%s is refused as a new password', (password, why) => {
  const { error } = newPassword.safeParse(password)
  expect(error?.issues[0]?.message).toContain(why)
})

test.each([
  'correct horse',
  'a long password',
  'analytical engine',
  'Fünf Ä pfel im Korb',
  'パスワードではありません十二文字',
  'dragon eats eleven teapots',
  'K4!x-9pQ2_vL',
])('%s is taken as a new password', password => {
  expect(newPassword.safeParse(password).success).toBe(true)
})
