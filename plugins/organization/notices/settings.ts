import { choice, field, z } from '../../../core/plugin.ts'
import { isTimeZone } from './local-time.ts'

/** The languages of mails, and their names for people. */
export const languages = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' } as const

export type Language = keyof typeof languages

export const languageNames = Object.keys(languages) as [Language, ...Language[]]

/** What accounts get that have chosen nothing. */
export const settings = {
  language: choice(languageNames, {
    label: 'Language of mails',
    hint: 'Each account can choose another one.',
    labels: languages,
    default: 'en',
  }),
  timeZone: field(
    z
      .string()
      .max(64)
      .refine(isTimeZone, 'There is no such time zone. Use an IANA name, such as Europe/Berlin.'),
    {
      label: 'Time zone',
      hint: 'Mails go by day. Each account can choose another one. Such as Europe/Berlin.',
      control: 'text',
      default: 'UTC',
    },
  ),
}
