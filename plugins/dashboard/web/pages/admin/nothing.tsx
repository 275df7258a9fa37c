import { Empty } from '../../shared/notices/empty.tsx'
import { useTitle } from '../../shared/page/page.tsx'
import { texts } from '../../texts.ts'

/** Shown for a plan or a plugin that does not exist. */
export function Nothing() {
  const { notFoundHeading, notFound } = texts.errors
  useTitle(notFoundHeading)
  return <Empty isPage heading={notFoundHeading} lead={notFound} />
}
