export const expected: readonly unknown[]
