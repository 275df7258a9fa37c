/** The number of possible short codes, of seven characters as the program makes them. */
const codes = 36 ** 7
/** Coprime to `codes`, so that no two numbers give the same code. */
const stride = 30_015_243_341

/** The short code of the nth link: the same in each run, in no visible order. */
export function codeOf(number) {
  const place = Number((BigInt(number + 1) * BigInt(stride)) % BigInt(codes))
  return place.toString(36).padStart(7, '0')
}

/** The original URL of the nth link. */
export function urlOf(number) {
  return `https://example.org/articles/${number}?from=a-newsletter`
}
