import { NativeSelect } from '@mantine/core'
import { chooseLanguage } from '../../language/choose-language.ts'
import { allLanguages, language, languages } from '../../language/language.ts'
import { texts } from '../../texts.ts'

/** The language of the dashboard in this browser. */
export function LanguageSwitch() {
  return (
    <NativeSelect
      label={texts.shell.language}
      value={language}
      data={allLanguages.map(value => ({ value, label: languages[value] }))}
      onChange={({ currentTarget }) => {
        const chosen = allLanguages.find(it => it === currentTarget.value)
        if (chosen) chooseLanguage(chosen)
      }}
    />
  )
}
