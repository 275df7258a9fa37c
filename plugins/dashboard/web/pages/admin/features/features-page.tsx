import { useQuery } from '@tanstack/react-query'
import { type Flag, featuresQuery } from '../../../api/admin-features.ts'
import { Page } from '../../../shared/page.tsx'
import { Rows } from '../../../shared/rows.tsx'
import things from '../../../shared/things.module.css'
import { adminTexts } from '../../../texts/admin.ts'
import { FeatureRow } from './feature-row.tsx'

/** In the order of what is wanted most. */
const flags = Object.keys(adminTexts.features.names) as readonly Flag[]

/** What is on for everybody. */
export function FeaturesPage() {
  const { data: features, error } = useQuery(featuresQuery)
  if (error && !features) throw error
  return (
    <Page title={adminTexts.pages.features} lead={adminTexts.features.lead}>
      {features ? (
        <ul className={things.list}>
          {flags.map(flag => (
            <FeatureRow key={flag} flag={flag} isOn={features[flag]} />
          ))}
        </ul>
      ) : (
        <Rows />
      )}
    </Page>
  )
}
