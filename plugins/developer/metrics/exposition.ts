type Labels = Readonly<Record<string, string | number>>

/** One number and its labels. */
export interface Sample {
  /** Appended to the name of the family, such as `_bucket`. */
  readonly suffix?: string
  readonly labels?: Labels
  readonly value: number
}

/** A metric and its samples. */
export interface Family {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary'
  readonly samples: readonly Sample[]
}

/**
 * Writes metrics in the format of https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format. Every
 * sample also gets the `common` labels.
 */
export function asText(families: readonly Family[], common: Labels = {}): string {
  return families.map(family => familyAsText(family, common)).join('')
}

function familyAsText({ name, help, type, samples }: Family, common: Labels): string {
  const lines = samples.map(({ suffix = '', labels, value }) => {
    const all = labelsAsText({ ...labels, ...common })
    return `${name}${suffix}${all} ${value}\n`
  })
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function labelsAsText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${quoted(String(value))}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function quoted(text: string): string {
  return text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')
}
