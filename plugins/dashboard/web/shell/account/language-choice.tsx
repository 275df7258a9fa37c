import { Menu } from '@mantine/core'
import { chooseLanguage } from '../../language/choose-language.ts'
import { allLanguages, language, languages } from '../../language/language.ts'

/** The part of a menu that chooses the language. The choice is kept in this browser. */
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
