export function describeApi(folder: string): Promise<string | undefined>
