/** The theme as a stylesheet: `build/theme-css.ts`. */
declare module 'virtual:theme.css'

/** One icon, without the index of all icons. */
declare module '@tabler/icons-react/dist/esm/icons/*' {
  const icon: import('@tabler/icons-react').TablerIcon
  export default icon
}

/** The map of the world, ready to draw: `build/world-map.ts`. */
declare module 'virtual:world-map' {
  const world: {
    /** For `viewBox`. */
    readonly view: string
    /** Outlines, with the ISO 3166-1 code of the country if it has one. */
    readonly lands: readonly { readonly code: string | null; readonly path: string }[]
    /** The positions of countries that are too small for an outline. */
    readonly places: readonly { readonly code: string; readonly x: number; readonly y: number }[]
  }
  export default world
}
