import { z } from 'zod'
import { line } from '../lib/schema/lines.ts'
import { inForm } from '../lib/text/normal-form.ts'
import { type Refusal, refuse } from '../plugin/outcomes.ts'
import words from './common-passwords.json'

/** The fields of an account that people enter, checked where they come in: API, command line, environment. */

/** An e-mail address as it is stored: in lower case. */
export const email = z
  .email('Enter an e-mail address, such as ada@example.org.')
  .max(254)
  .toLowerCase()

/** The length in characters. Short passwords could be found by trial by somebody who has the database. */
export const minPassword = 12
export const maxPassword = 128

/**
 * A new password, by NIST SP 800-63B-4, 3.1.1.2: long, of any characters, and not too common. Existing
 * passwords stay valid.
 */
export const newPassword = z
  .string()
  .min(minPassword, {
    error: `Enter a password of at least ${minPassword} characters.`,
    abort: true,
  })
  .max(maxPassword, {
    error: `Enter a password of at most ${maxPassword} characters.`,
    abort: true,
  })
  .refine(password => !isCommon(password), {
    error: 'This password is too common. Choose another, such as four random words.',
  })

/** The caller's current password, to be compared. */
export const currentPassword = z
  .string()
  .max(1_000)
  .nullable()
  .meta({ description: 'Your current password; null for an account that has no password yet.' })

/** Words that everybody knows who tries passwords here. */
const wordsOfHere = ['linnet', 'admin', 'administrator', 'link', 'links', 'shortener', 'short']

/** Refuses a password that is made of the address and the name of its own account, and of words of this program. */
export function refuseOwnWords(
  password: string,
  { email, fullName }: { readonly email: string; readonly fullName: string | null },
): Refusal | undefined {
  const rest = password.toLowerCase().replaceAll(email, '')
  if (!isMadeOf(rest, `${email} ${fullName ?? ''} ${wordsOfHere.join(' ')}`)) return undefined
  const detail = 'Choose a password that is not made of the e-mail address, the name or Linnet.'
  return refuse('validation_failed', detail, 422, 'password')
}

export const fullName = line(100).meta({ examples: ['Ada Lovelace'] })

/**
 * The commonest passwords: those of twelve characters and more, then the commonest words that shorter ones
 * are made of. From zxcvbn 4.4.2, Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc., MIT licence, which
 * took them from Mark Burnett's ten million passwords, which are in the public domain.
 */
const common = new Set(words.flatMap(line => line.split(' ')))

/** The letters that these characters often stand for. */
const lookalikes: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
}

/**
 * Whether a password is among the first that are guessed: one of the commonest, such a word with digits and
 * signs before and behind it, digits and signs alone, or a few characters over and over.
 */
function isCommon(password: string): boolean {
  const text = folded(password)
  const word = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const isRepeated = /^(.{1,8})\1+$/su.test(text)
  return word === '' || isRepeated || [text, word, asRead(word)].some(it => common.has(it))
}

/** Whether there are no letters in a password but those of some words, such as `Ada.Lovelace-1815`. */
function isMadeOf(password: string, words: string): boolean {
  const text = folded(password)
  const parts = folded(words).match(/\p{L}{3,}/gu) ?? []
  const longestFirst = parts.toSorted((a, b) => b.length - a.length)
  const without = (of: string) =>
    longestFirst.reduce((rest, part) => rest.replaceAll(part, ' '), of)
  return [text, asRead(text)].some(it => !/\p{L}/u.test(without(it)))
}

function folded(text: string): string {
  return inForm('NFKC', text).toLowerCase()
}

function asRead(text: string): string {
  return text.replace(/[@431$05]/g, sign => lookalikes[sign] ?? sign)
}
