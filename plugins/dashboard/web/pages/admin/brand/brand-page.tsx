import { Button, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { brandQuery } from '../../../api/admin/brand.ts'
import { IconExternalLink } from '../../../shared/icons/icons.ts'
import { Rows } from '../../../shared/lists/rows.tsx'
import { Page } from '../../../shared/page/page.tsx'
import { adminTexts } from '../../../texts/admin.ts'
import { BrandForm } from './brand-form.tsx'

const words = adminTexts.brand

/** Never the path of a link, so visitors of it see the page for links that do not exist. */
const pathWithoutLink = '/assets/'

/** What visitors see of whose instance this is. */
export function BrandPage() {
  const { data: brand, error } = useQuery(brandQuery)
  if (error && !brand) throw error
  return (
    <Page title={adminTexts.pages.brand} lead={words.lead} actions={<SeeLive />}>
      {brand ? <BrandForm brand={brand} /> : <Rows />}
    </Page>
  )
}

function SeeLive() {
  return (
    <Button
      component="a"
      href={pathWithoutLink}
      target="_blank"
      variant="default"
      rightSection={<IconExternalLink size={16} aria-hidden="true" />}
    >
      {words.seeLive}
      <VisuallyHidden> {words.newTab}</VisuallyHidden>
    </Button>
  )
}
