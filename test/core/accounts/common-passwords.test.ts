import { expect, test } from 'vitest'
import { newPassword, refuseOwnWords } from '../../../core/accounts/account-fields.ts'

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

const ada = { email: 'ada.king@example.org', fullName: 'Ada Lovelace' }

test.each([
  'ada.king@example.org',
  ' ADA.KING@EXAMPLE.ORG ',
  'AdaLovelace1815!',
  '2026-Example-King',
  'linnet-admin-2026',
  'L1nnetShort3ner',
])('%s is refused as the password of Ada, because it is made of her own words', password => {
  expect(refuseOwnWords(password, ada)?.field).toBe('password')
})

test.each(['lovelace eats plums', 'king of spades 9', 'linnet linnet bird'])(
  '%s is taken as the password of Ada',
  password => {
    expect(refuseOwnWords(password, ada)).toBeUndefined()
    expect(refuseOwnWords('AdaLovelace1815!', { email: 'b@c.de', fullName: null })).toBeUndefined()
  },
)
