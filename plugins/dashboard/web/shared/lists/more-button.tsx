import { Button, Center } from '@mantine/core'
import { texts } from '../../texts.ts'

export interface MoreButtonProps {
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  fetchNextPage(): unknown
}

/** The button below a `longList` that reads the next items, if there are any. */
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
