import { useInsertionEffect } from 'react'
import { adoptStyles } from './adopt-styles.ts'

/**
 * Replaces the package `react-style-singleton`, which writes a `<style>` that keeps the page from scrolling
 * behind a dialog. The build swaps it in: see `build/strict-styles.ts`.
 */
export function styleSingleton() {
  return function Sheet({ styles }: { readonly styles: string }) {
    useInsertionEffect(() => adoptStyles(styles), [styles])
    return null
  }
}
