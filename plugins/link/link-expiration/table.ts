/** When links open and end, and how many of their visits are used up. */
export const table = 'link_link_expiration'
