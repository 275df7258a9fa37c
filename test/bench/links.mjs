/** As many codes as there are; seven characters, as the program's own. */
const codes = 36 ** 7
/** Has no divisor in common with `codes`: no two numbers give one code. */
const stride = 30_015_243_341

/** The short code of the nth link: the same in each run, and in no order. */
export function codeOf(number) {
  const place = Number((BigInt(number + 1) * BigInt(stride)) % BigInt(codes))
  return place.toString(36).padStart(7, '0')
}

/** Where the nth link leads. */
export function urlOf(number) {
  return `https://example.org/articles/${number}?from=a-newsletter`
}
