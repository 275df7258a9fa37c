/** Whether a row already has all these values. Undefined values are ignored. */
export function isPartOf<Row extends object>(
  row: Row,
  values: { readonly [Key in keyof Row]?: Row[Key] | undefined },
): boolean {
  const asked = Object.entries(values).filter(([, value]) => value !== undefined)
  return asked.every(([name, value]) => row[name as keyof Row] === value)
}
