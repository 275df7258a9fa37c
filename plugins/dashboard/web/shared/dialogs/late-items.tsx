import { Loader } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'

/** Menu items whose code may be loaded only when the menu is first opened. */
export function LateItems({ children }: { readonly children: ReactNode }) {
  return <Suspense fallback={<Loader size="sm" m="xs" />}>{children}</Suspense>
}
