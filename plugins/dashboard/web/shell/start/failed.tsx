import { Button } from '@mantine/core'
import { type ErrorComponentProps, Link, useMatches, useRouter } from '@tanstack/react-router'
import { Empty } from '../../shared/notices/empty.tsx'
import { messageOf } from '../../shared/notices/notify.ts'
import { useTitle } from '../../shared/page/page.tsx'
import { texts } from '../../texts.ts'
import { Door } from '../brand/door.tsx'

/** Shown in place of a page that failed; the other pages still work. */
export function Failed({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  useTitle(texts.errors.heading)
  const retry = async () => {
    await router.invalidate()
    reset()
  }
  return (
    <Empty isPage heading={texts.errors.heading} lead={messageOf(error)}>
      <Button onClick={() => void retry()}>{texts.common.retry}</Button>
    </Empty>
  )
}

/** Shown for a page that does not exist, within the shell or without. */
export function NotFound() {
  const { notFoundHeading, notFound, toLinks } = texts.errors
  const isInside = useMatches({
    select: matches => matches.some(({ routeId }) => routeId === '/inside'),
  })
  useTitle(notFoundHeading)
  const button = (
    <Button fullWidth={!isInside} renderRoot={props => <Link {...props} to="/links" />}>
      {toLinks}
    </Button>
  )
  return isInside ? (
    <Empty isPage heading={notFoundHeading} lead={notFound}>
      {button}
    </Empty>
  ) : (
    <Door title={notFoundHeading} heading={notFoundHeading} lead={notFound}>
      {button}
    </Door>
  )
}
