import type { MantineColorsTuple } from '@mantine/core'

/** The crimson of a linnet's breast, from the lightest to the darkest. */
export const linnet: MantineColorsTuple = [
  '#fcf1f1',
  '#f6dfe0',
  '#ecbcbf',
  '#e2989d',
  '#d87a80',
  '#c95a63',
  '#b8454f',
  '#a3343f',
  '#882a34',
  '#6b2029',
]

/** Warm greys, like the paper and ink of the pages that visitors see. */
export const gray: MantineColorsTuple = [
  '#faf8f4',
  '#f3f0ea',
  '#e8e4dc',
  '#dad5cb',
  '#c4beb3',
  '#a7a198',
  '#7f7b75',
  '#62666d',
  '#40444a',
  '#23262b',
]

/** Neutral darks, from text to the darkest background; 6 is a raised surface, 7 the page. */
export const dark: MantineColorsTuple = [
  '#eceae5',
  '#c9c9c8',
  '#a2a6ad',
  '#7d828a',
  '#454a51',
  '#2f333a',
  '#1e2125',
  '#17191c',
  '#121416',
  '#0c0d0f',
]
