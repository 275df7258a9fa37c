import { useQuery } from '@tanstack/react-query'
import { type Features, type Flag, featuresQuery } from '../../../api/admin/features.ts'
import { Rows } from '../../../shared/lists/rows.tsx'
import things from '../../../shared/lists/things.module.css'
import { Page } from '../../../shared/page/page.tsx'
import { adminTexts } from '../../../texts/admin.ts'
import { FeatureRow } from './feature-row.tsx'

/** The switches that apply to every account. */
export function FeaturesPage() {
  const { data: features, error } = useQuery(featuresQuery)
  if (error && !features) throw error
  return (
    <Page title={adminTexts.pages.features} lead={adminTexts.features.lead}>
      {features ? (
        <ul className={things.list}>
          {inOrder(features).map(flag => (
            <FeatureRow key={flag} flag={flag} isOn={features[flag]} />
          ))}
        </ul>
      ) : (
        <Rows />
      )}
    </Page>
  )
}

/** The most used switches first, and those of plugins that we have no labels for last. */
function inOrder(features: Features): readonly Flag[] {
  const known = Object.keys(adminTexts.features.names)
  const unknown = Object.keys(features).filter(flag => !known.includes(flag))
  return [...known, ...unknown] as Flag[]
}
