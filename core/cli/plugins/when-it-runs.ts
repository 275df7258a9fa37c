/** What the commands say of a server that runs beside them. */
export const whenItRuns = 'A running server applies this within two seconds and logs it.'
