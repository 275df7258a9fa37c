/** What is in one typed array in a larger one: they cannot grow. */
export function copied<Numbers extends { set(from: Numbers): void }>(
  from: Numbers,
  to: Numbers,
): Numbers {
  to.set(from)
  return to
}
