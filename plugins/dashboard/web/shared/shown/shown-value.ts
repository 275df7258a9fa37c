import type { Manifest } from '../../api/instance/manifest.ts'

/** How a value of a plugin is shown. */
export type Shown = Manifest[number]['dashboard']['columns'][number]

/** The values under a name in an answer, those of a list one by one; none if there is nothing to show. */
export function valuesIn(thing: object, { name, words }: Shown): readonly unknown[] {
  const value = Object.entries(thing).find(([key]) => key === name)?.[1]
  const isNamed = (it: unknown) => words.some(({ value }) => value === String(it))
  const isEmpty = (it: unknown) => it === null || it === undefined || it === '' || it === false
  return [value].flat().filter(it => !isEmpty(it) || isNamed(it))
}
