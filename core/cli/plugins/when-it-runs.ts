/** What the commands say of a server that runs beside them. */
export const whenItRuns = 'A running server follows within two seconds, as its log says.'
