import { Kbd, Stack, Switch } from '@mantine/core'
import { useShortcutsChoice } from '../../shared/page/use-shortcuts.ts'
import { settingsTexts } from '../../texts/settings.ts'
import { LanguageSwitch } from './language-switch.tsx'
import { SchemeSwitch } from './scheme-switch.tsx'
import { Section } from './section.tsx'

/** How the dashboard looks and behaves in this browser. */
export function AppearanceSection() {
  const [hasShortcuts, setHasShortcuts] = useShortcutsChoice()
  return (
    <Section heading={settingsTexts.appearance} lead={settingsTexts.appearanceLead}>
      <Stack gap="lg">
        <SchemeSwitch />
        <LanguageSwitch />
        <Switch
          label={settingsTexts.shortcuts}
          description={settingsTexts.shortcutsHint}
          checked={hasShortcuts}
          onChange={({ currentTarget }) => setHasShortcuts(currentTarget.checked)}
        />
        {hasShortcuts && (
          <Stack gap="xs" fz="sm">
            {Object.entries(settingsTexts.keys).map(([key, what]) => (
              <div key={key}>
                <Kbd>{key}</Kbd> {what}
              </div>
            ))}
          </Stack>
        )}
      </Stack>
    </Section>
  )
}
