/** Copies a typed array into a larger one, since typed arrays cannot grow. */
export function copied<Numbers extends { set(from: Numbers): void }>(
  from: Numbers,
  to: Numbers,
): Numbers {
  to.set(from)
  return to
}
