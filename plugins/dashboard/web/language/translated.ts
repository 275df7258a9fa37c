/** Words with the same names and the same values to put in, in another language. */
export type Translated<Words> = Words extends string
  ? string
  : Words extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Name in keyof Words]: Translated<Words[Name]> }
