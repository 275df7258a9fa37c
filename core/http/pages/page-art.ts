/** The pages' pictures: a link of a chain that is whole, broke, fades or waits, and a padlock. */
export type Art = 'whole' | 'broken' | 'faded' | 'waiting' | 'locked'

const left = 'M24 4H14a12 12 0 0 0 0 24h10'
const right = 'M38 4h10a12 12 0 0 1 0 24H38'

const drawings: Readonly<Record<Art, { readonly width: number; readonly lines: string }>> = {
  whole: {
    width: 62,
    lines: `<path d="${left}"/><path d="${right}"/><path class="warm" d="M20 16h22"/>`,
  },
  broken: {
    width: 74,
    lines: `<path d="${left}"/><path d="${right}" transform="translate(9 1) rotate(11 50 16)"/>
<path class="warm" d="M32 9l-1.5-6M38 8.500l2-5.500M32 23l-1.5 6M37.5 23.500l2 5.5"/>`,
  },
  faded: {
    width: 62,
    lines: `<path d="${left}"/><path d="M20 16h8"/><path class="warm" d="M33 16h9.5" stroke-dasharray="0 4.5"/>
<path d="${right}" stroke-dasharray="0 4.43"/>`,
  },
  waiting: {
    width: 62,
    lines: `<path d="${left}"/><path d="${right}"/><path class="warm" d="M22 16h18.5" stroke-dasharray="0 9"/>`,
  },
  locked: {
    width: 36,
    lines: `<rect x="3" y="13" width="28" height="21" rx="5"/><path d="M9 13V9a8 8 0 0 1 16 0v4"/>
<path class="warm" d="M17 21.5v4.5"/>`,
  },
}

/** A picture as inline SVG, for the eye only. */
export function draw(art: Art): string {
  const { width, lines } = drawings[art]
  return `<svg viewBox="0 -2 ${width} 40" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" aria-hidden="true">${lines}</svg>`
}
