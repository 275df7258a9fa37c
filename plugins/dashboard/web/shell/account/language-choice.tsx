import { Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { languagesQuery } from '../../api/instance/languages.ts'
import { chooseLanguage } from '../../language/choose-language.ts'
import { language } from '../../language/language.ts'

/** The part of a menu that chooses the language. The choice is kept in this browser. */
export function LanguageChoice() {
  const { data = [] } = useQuery(languagesQuery)
  return (
    <Menu.RadioGroup value={language}>
      {data.map(({ lang, name, dir }) => (
        <Menu.RadioItem
          key={lang}
          value={lang}
          lang={lang}
          dir={dir}
          onClick={() => chooseLanguage(lang)}
        >
          {name}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  )
}
