/** The same keys, and functions with the same parameters, in another language. */
export type Translated<Words> = Words extends string
  ? string
  : Words extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Name in keyof Words]: Translated<Words[Name]> }
