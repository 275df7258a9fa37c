import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { profileQuery } from '../../api/account/profile.ts'
import { IconShieldLock } from '../../shared/icons/icons.ts'
import { Empty } from '../../shared/notices/empty.tsx'
import { useTitle } from '../../shared/page/page.tsx'
import { adminTexts } from '../../texts/admin.ts'
import { texts } from '../../texts.ts'
import { AdminNav } from './admin-nav.tsx'

/** The frame of every page for admins. */
export function AdminPage() {
  const { data: profile } = useSuspenseQuery(profileQuery)
  if (!profile.isAdmin) return <OnlyForAdmins />
  return (
    <>
      <AdminNav />
      <Outlet />
    </>
  )
}

/** Shown to somebody who opens such a page without being an admin. */
function OnlyForAdmins() {
  useTitle(adminTexts.onlyHeading)
  return (
    <Empty
      isPage
      icon={<IconShieldLock size={40} stroke={1.5} />}
      heading={adminTexts.onlyHeading}
      lead={adminTexts.only}
    >
      <Button renderRoot={props => <Link {...props} to="/links" />}>{texts.errors.toLinks}</Button>
    </Empty>
  )
}
