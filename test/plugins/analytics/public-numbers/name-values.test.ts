import { expect, it } from 'vitest'
import { namesIn } from '../../../../plugins/analytics/public-numbers/name-values.ts'

it.each([
  ['visitsByCountry', 'DE', 'Germany', 'Deutschland'],
  ['visitsByLanguage', 'pt-BR', 'Portuguese (Brazil)', 'Portugiesisch (Brasilien)'],
  ['visitsByCity', 'IT|Lazio|Rome', 'Rome, Lazio, Italy', 'Rome, Lazio, Italien'],
  ['visitsByDeviceType', 'desktop', 'Desktop', 'Computer'],
  ['utmSource', '(none)', 'None', 'Keine'],
  ['visitsByReferer', '(other)', 'Other', 'Anderes'],
  ['utmSource', 'None', 'None', 'None'],
  ['visitsByCountry', 'not a country', 'a mood', 'a mood'],
])(
  'a value of %s that is %s is called by its name in the language',
  (name, value, label, german) => {
    expect(namesIn('de')(name, { value, label })).toBe(german)
    expect(namesIn('en')(name, { value, label })).toBe(label)
  },
)
