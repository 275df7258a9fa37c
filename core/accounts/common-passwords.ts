import { inForm } from '../lib/text/normal-form.ts'
import words from './common-passwords.json'

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
export function isCommon(password: string): boolean {
  const text = folded(password)
  const word = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const isRepeated = /^(.{1,8})\1+$/su.test(text)
  return word === '' || isRepeated || [text, word, asRead(word)].some(it => common.has(it))
}

/** Whether there are no letters in a password but those of some words, such as `Ada.Lovelace-1815`. */
export function isMadeOf(password: string, words: string): boolean {
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
