/** Our logo: a linnet, in the line style of the pictures on visitor pages. Hidden from screen readers. */
export function Bird({ size = 28 }: { readonly size?: number }) {
  return (
    <svg
      viewBox="0 0 40 40"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="2.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M3 34 15 24c-2-9 4-16 12-16 4.500 0 7 2.500 8 5l3 2-3 1.500C34.500 27 28 33 19 33c-4 0-7-1-9-3" />
      <path d="M15 24c4 1.500 9 .5 12-4" />
      <path d="M20 33v4M25 32v5" />
      <path stroke="var(--accent)" d="M28.500 13.500h.01" strokeWidth="3.500" />
      <path stroke="var(--accent)" d="M32.500 20c-.8 3-2.500 5.500-5 7.500" />
    </svg>
  )
}
