import type { InlineStylesInput, InlineStylesProps } from '@mantine/core'
import { useInsertionEffect } from 'react'
import { adoptStyles } from './adopt-styles.ts'

/**
 * Replaces Mantine's component of the same name, which writes `<style>` elements for responsive props, grids
 * and the like. The build swaps it in: see `build/strict-styles.ts`.
 */
export function createInlineStyles(toCss: (styles: InlineStylesInput) => string) {
  return function InlineStyles({ deduplicate, ...styles }: InlineStylesProps) {
    const css = toCss(styles)
    useInsertionEffect(() => adoptStyles(css), [css])
    return null
  }
}
