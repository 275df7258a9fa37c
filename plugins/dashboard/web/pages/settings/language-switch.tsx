import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { languagesQuery } from '../../api/instance/languages.ts'
import { chooseLanguage } from '../../language/choose-language.ts'
import { language } from '../../language/language.ts'
import { texts } from '../../texts.ts'

/** The language of the dashboard in this browser. */
export function LanguageSwitch() {
  const { data = [] } = useQuery(languagesQuery)
  return (
    <NativeSelect
      label={texts.shell.language}
      value={language}
      data={data.map(({ lang, name }) => ({ value: lang, label: name }))}
      onChange={({ currentTarget }) => chooseLanguage(currentTarget.value)}
    />
  )
}
