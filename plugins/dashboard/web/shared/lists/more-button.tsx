import { Button, Center } from '@mantine/core'
import { texts } from '../../texts.ts'

export interface MoreButtonProps {
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  fetchNextPage(): unknown
}

/** Under a `longList`: the next of its things, where there are any. */
export function MoreButton({ hasNextPage, isFetchingNextPage, fetchNextPage }: MoreButtonProps) {
  if (!hasNextPage) return null
  return (
    <Center mt="md">
      <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
        {texts.common.more}
      </Button>
    </Center>
  )
}
