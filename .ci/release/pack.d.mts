export function packForNpm(to: string, options?: readonly string[]): string
