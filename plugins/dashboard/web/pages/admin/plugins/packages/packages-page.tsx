import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { pluginPackagesQuery } from '../../../../api/admin/plugin-packages.ts'
import { Rows } from '../../../../shared/lists/rows.tsx'
import { BackLink } from '../../../../shared/page/back-link.tsx'
import { Page } from '../../../../shared/page/page.tsx'
import { adminTexts } from '../../../../texts/admin.ts'
import { AddPackage } from './add-package.tsx'
import { BrowseIndex } from './browse-index.tsx'
import { InstallingOff } from './installing-off.tsx'
import { PackageList } from './package-list.tsx'

/** Plugins that did not come with Linnet: installed, updated and removed here if the operator allows it. */
export function PackagesPage() {
  const { data, error } = useQuery(pluginPackagesQuery)
  if (error && !data) throw error
  return (
    <>
      <BackLink to="/admin/plugins" label={adminTexts.back.plugins} />
      <Page title={adminTexts.packages.title} lead={adminTexts.packages.lead}>
        {data ? (
          <Stack>
            {data.changeable ? <AddPackage /> : <InstallingOff />}
            {data.index !== null && (
              <BrowseIndex address={data.index} isChangeable={data.changeable} />
            )}
            <PackageList packages={data.data} isChangeable={data.changeable} />
          </Stack>
        ) : (
          <Rows />
        )}
      </Page>
    </>
  )
}
