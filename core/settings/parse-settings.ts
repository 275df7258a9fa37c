import type { z } from 'zod'
import { UserError } from '../lib/user-error.ts'
import { type RunTimeSettings, settingsSchema } from './settings.ts'

/** Settings that must not be used; the message has a line for each mistake, with its remedy. */
export class UnusableSettings extends UserError {
  override readonly name = 'UnusableSettings'
}

/** Parse settings from JSON. Throws `UnusableSettings`. */
export function parseSettings(place: string, text: string): RunTimeSettings {
  return checkSettings(place, parseJson(place, text))
}

/** @param place where the settings are kept, for people */
function checkSettings(place: string, settings: unknown): RunTimeSettings {
  const checked = settingsSchema.safeParse(settings)
  if (!checked.success) throw new UnusableSettings(mistakesIn(place, checked.error))
  return checked.data
}

function parseJson(place: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UnusableSettings(
      `${place} is not JSON: ${(cause as Error).message}. ` +
        'Correct it, or move it away to go back to the settings in the folder config.',
    )
  }
}

function mistakesIn(place: string, { issues }: z.ZodError): string {
  const mistakes = issues.flatMap(issue => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map(
        key => `${place}: ${[...issue.path, key].join('.')} does not exist. Remove it.`,
      )
    }
    const where = issue.path.length === 0 ? 'the whole' : issue.path.join('.')
    return `${place}: ${where} is wrong: ${issue.message}. Correct it, or remove it to go back to the default.`
  })
  return mistakes.join('\n')
}
