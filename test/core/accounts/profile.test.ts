import { expect, test } from 'vitest'
import { initialsOf } from '../../../core/accounts/profile.ts'

test.each([
  ['Ada Lovelace', 'ada@example.org', 'AL'],
  ['  Augusta Ada King-Noel ', 'ada@example.org', 'AK'],
  ['ada', 'x@example.org', 'A'],
  ["Conan O'Brien", 'x@example.org', 'CO'],
  ['Łukasz Żak', 'x@example.org', 'ŁŻ'],
  ['李 小龍', 'x@example.org', '李小'],
  ['(Ada) "Countess"', 'x@example.org', 'AC'],
  ['!!!', 'x@example.org', '?'],
  [null, 'ada.lovelace@example.org', 'AL'],
  [null, 'ada@example.org', 'A'],
  [null, 'ada+links@example.org', 'AL'],
  [null, '-@example.org', '?'],
])('the initials of %j, %s, are %s', (fullName, email, initials) => {
  expect(initialsOf({ fullName, email })).toBe(initials)
})
