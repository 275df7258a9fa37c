/** How long to pause between two slices of work, in milliseconds, so that others can use the database. */
export const breathMs = 2
