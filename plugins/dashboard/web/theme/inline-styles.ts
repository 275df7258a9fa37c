import type { InlineStylesInput, InlineStylesProps } from '@mantine/core'
import { useInsertionEffect } from 'react'
import { adoptStyles } from './adopt-styles.ts'

/**
 * Stands in for Mantine's component of this name, which writes `<style>` for responsive props, grids and
 * the like. The build puts it in its place: see `build/strict-styles.ts`.
 */
export function createInlineStyles(toCss: (styles: InlineStylesInput) => string) {
  return function InlineStyles({ deduplicate, ...styles }: InlineStylesProps) {
    const css = toCss(styles)
    useInsertionEffect(() => adoptStyles(css), [css])
    return null
  }
}
