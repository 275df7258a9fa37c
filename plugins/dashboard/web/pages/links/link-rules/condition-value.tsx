import { useState } from 'react'
import { ChooseMany } from '../../../shared/choices/choose-many.tsx'
import { ChooseWords } from '../../../shared/choices/choose-words.tsx'
import { rulesTexts } from '../../../texts/rules.ts'
import { countries, isLanguage, languageName, languages } from './names.ts'
import { valuesIn } from './rules.ts'
import { type ConditionValueProps, TimeValue } from './time-value.tsx'

/** The names that browsers report; others can be typed. */
const systems = ['Android', 'iOS', 'Windows', 'Mac OS', 'Linux', 'Ubuntu', 'Chrome OS']
const browsers = ['Chrome', 'Safari', 'Firefox', 'Edge', 'Opera', 'Samsung Browser']
const devices = ['desktop', 'mobile', 'tablet', 'other'] as const

/** The value of a condition, in an input that suits its type. */
export function ConditionValue(props: ConditionValueProps) {
  const { condition, error, onChange } = props
  const input = {
    'aria-label': rulesTexts.value,
    value: [...valuesIn(condition)],
    error,
    onChange,
  }
  const placeholder = input.value.length === 0 ? rulesTexts.addValue : ''
  const example = (text: string) => (placeholder === '' ? '' : text)
  switch (condition.type) {
    case 'country':
      return (
        <ChooseMany
          {...input}
          placeholder={placeholder}
          data={countries}
          searchable
          hidePickedOptions
        />
      )
    case 'device':
      return (
        <ChooseMany
          {...input}
          placeholder={placeholder}
          data={devices.map(value => ({ value, label: rulesTexts.devices[value] }))}
        />
      )
    case 'language':
      return <LanguageValue {...props} placeholder={placeholder} />
    case 'time':
      return <TimeValue {...props} />
    case 'os':
      return <ChooseWords {...input} placeholder={placeholder} data={systems} />
    case 'browser':
      return <ChooseWords {...input} placeholder={placeholder} data={browsers} />
    // A comma may be part of a name.
    case 'city':
      return <ChooseWords {...input} placeholder={example('Munich')} splitChars={[]} />
    case 'network':
      return <ChooseWords {...input} placeholder={example('192.0.2.0/24')} />
    case 'query_param':
      if (condition.value === null) return null
      return <ChooseWords {...input} placeholder={placeholder} splitChars={[]} />
  }
}

/** Languages by name. A regional one, such as en-GB, can be typed. */
function LanguageValue({
  condition,
  error,
  placeholder,
  onChange,
}: ConditionValueProps & { readonly placeholder: string }) {
  const [search, setSearch] = useState('')
  const chosen = valuesIn(condition)
  const typed = search.includes('-') && isLanguage(search) ? [search] : []
  const known = new Set(languages.map(({ value }) => value))
  const others = [...new Set([...chosen, ...typed])].filter(it => !known.has(it))
  return (
    <ChooseMany
      aria-label={rulesTexts.value}
      placeholder={placeholder}
      data={[
        ...others.map(value => ({ value, label: `${languageName(value)} (${value})` })),
        ...languages,
      ]}
      value={[...chosen]}
      error={error}
      onChange={onChange}
      searchValue={search}
      onSearchChange={setSearch}
      searchable
      hidePickedOptions
    />
  )
}
