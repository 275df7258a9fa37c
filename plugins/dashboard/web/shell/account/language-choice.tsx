import { Menu } from '@mantine/core'
import { chooseLanguage } from '../../language/choose-language.ts'
import { allLanguages, language, languages } from '../../language/language.ts'

/** The languages of the dashboard: a part of a menu. The choice stays in this browser. */
export function LanguageChoice() {
  return (
    <Menu.RadioGroup value={language}>
      {allLanguages.map(it => (
        <Menu.RadioItem key={it} value={it} lang={it} onClick={() => chooseLanguage(it)}>
          {languages[it]}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  )
}
