import { Kbd, Stack, Switch } from '@mantine/core'
import { useShortcutsChoice } from '../../shared/use-shortcuts.ts'
import { texts } from '../../texts.ts'
import { SchemeSwitch } from './scheme-switch.tsx'
import { Section } from './section.tsx'

/** How things look and act in this browser. */
export function AppearanceSection() {
  const [hasShortcuts, setHasShortcuts] = useShortcutsChoice()
  return (
    <Section heading={texts.settings.appearance} lead={texts.settings.appearanceLead}>
      <Stack gap="lg">
        <SchemeSwitch />
        <Switch
          label={texts.settings.shortcuts}
          description={texts.settings.shortcutsHint}
          checked={hasShortcuts}
          onChange={({ currentTarget }) => setHasShortcuts(currentTarget.checked)}
        />
        {hasShortcuts && (
          <Stack gap="xs" fz="sm">
            {Object.entries(texts.settings.keys).map(([key, what]) => (
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
