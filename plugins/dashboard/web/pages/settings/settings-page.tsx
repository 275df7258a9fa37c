import { Page } from '../../shared/page/page.tsx'
import { settingsTexts } from '../../texts/settings.ts'
import { AppearanceSection } from './appearance-section.tsx'
import { DeleteSection } from './delete-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { PlanSection } from './plan-section.tsx'
import { ProfileSection } from './profile-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { ToolsSection } from './tools-section.tsx'

/** The settings of one's own account: name, plan, appearance, password, sessions, deletion. */
export function SettingsPage() {
  return (
    <Page title={settingsTexts.title}>
      <ProfileSection />
      <PlanSection />
      <AppearanceSection />
      <ToolsSection />
      <PasswordSection />
      <SessionsSection />
      <DeleteSection />
    </Page>
  )
}
