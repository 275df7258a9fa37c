import { useFeature } from '../../../api/instance/manifest.ts'
import { Note } from '../../../shared/notices/note.tsx'
import { BackLink } from '../../../shared/page/back-link.tsx'
import { Page } from '../../../shared/page/page.tsx'
import { apiTexts } from '../../../texts/api.ts'
import { appsTexts, tokensTexts } from '../../../texts/tokens.ts'
import { AppSection } from './app-section.tsx'
import { type App, snippets } from './snippets.ts'

/** How other programs make links here: for each a snippet with the address of this instance, and a token on request. */
export function AppsPage() {
  const canMake = useFeature('developer.apiKeys') === 'on'
  const hasAssistants = useFeature('developer.mcp') === 'on'
  const apps = Object.keys(snippets) as App[]
  return (
    <>
      <BackLink to="/tokens" label={apiTexts.back} />
      <Page title={appsTexts.title} lead={appsTexts.lead}>
        <Note text={canMake ? undefined : tokensTexts.barred} />
        {apps
          .filter(app => app !== 'assistant' || hasAssistants)
          .map(app => (
            <AppSection key={app} app={app} canMake={canMake} />
          ))}
      </Page>
    </>
  )
}
