import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { profileQuery } from '../../api/account/profile.ts'
import { mayUsePassword, sessionQuery } from '../../api/account/session.ts'
import { manifestQuery } from '../../api/instance/manifest.ts'
import type { Panel } from '../../api/instance/panels.ts'
import { Page } from '../../shared/page/page.tsx'
import { PanelBody, useIsThere } from '../../shared/panels/panel.tsx'
import { settingsTexts } from '../../texts/settings.ts'
import { AppearanceSection } from './appearance-section.tsx'
import { DeleteSection } from './delete-section.tsx'
import { IdentitiesSection } from './identities-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { PlanSection } from './plan-section.tsx'
import { ProfileSection } from './profile-section.tsx'
import { Section } from './section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { ToolsSection } from './tools-section.tsx'

/** The settings of one's own account: name, plan, appearance, password, providers, sessions, deletion. */
export function SettingsPage() {
  const { data: plugins } = useSuspenseQuery(manifestQuery)
  const { data: profile } = useSuspenseQuery(profileQuery)
  const { data: session } = useQuery(sessionQuery)
  return (
    <Page title={settingsTexts.title}>
      <ProfileSection />
      <PlanSection />
      <AppearanceSection />
      <ToolsSection />
      {plugins.flatMap(({ feature, dashboard: { settings } }) =>
        settings.map(panel => <PluginSection key={`${feature} ${panel.title}`} panel={panel} />),
      )}
      {mayUsePassword(session, profile) && <PasswordSection />}
      <IdentitiesSection />
      <SessionsSection />
      <DeleteSection />
    </Page>
  )
}

function PluginSection({ panel }: { readonly panel: Panel }) {
  if (!useIsThere({ panel })) return null
  return (
    <Section heading={panel.title} lead={panel.lead}>
      <PanelBody panel={panel} />
    </Section>
  )
}
