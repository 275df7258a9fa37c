import { signInTexts } from '../../texts/settings.ts'

/** Why nobody was signed in by a provider, by the code of the problem, which may be that of a plugin. */
export function problemSaid(code: string): string {
  const known: Readonly<Record<string, string>> = signInTexts.problems
  return (
    (Object.hasOwn(known, code) ? known[code] : undefined) ??
    signInTexts.otherProblem(code.replaceAll('_', ' '))
  )
}
