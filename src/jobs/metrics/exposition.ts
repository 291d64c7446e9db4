import {Gauge, Registry} from 'prom-client'

/** One value of a metric. */
export type Sample = {metric: string; labels: Readonly<Record<string, string>>; value: number}

/** The metrics of a file: what each is about, and its values. */
export type Exposition = {help: Readonly<Record<string, string>>; samples: readonly Sample[]}

/** What a text is, besides metrics of this program: of another program, or damaged. */
export type NotMetrics = 'foreign' | 'damaged'

const ours = /^# HELP vendorctl_/
const about = /^# (?:HELP (vendorctl_[a-z0-9_]+) (.+)|TYPE vendorctl_[a-z0-9_]+ gauge)$/
const sample = /^(vendorctl_[a-z0-9_]+)\{(.*)\} (-?\d+(?:\.\d+)?(?:e[+-]\d+)?)$/
const label = /([a-z_]+)="((?:[^"\\]|\\[\\n"])*)"(?:,|$)/y

/** Reads what `printExposition` printed; an empty text holds nothing. */
export function readExposition(text: string): Exposition | NotMetrics {
  if (text.trim() === '') return {help: {}, samples: []}
  if (!ours.test(text)) return 'foreign'
  if (!text.endsWith('\n')) return 'damaged'
  const help: Record<string, string> = {}
  const samples: Sample[] = []
  for (const line of text.split('\n').filter(Boolean)) {
    const [isAbout, name, words] = about.exec(line) ?? []
    if (name !== undefined && words !== undefined) help[name] = words
    if (isAbout !== undefined) continue
    const read = readSample(line)
    if (!read || help[read.metric] === undefined) return 'damaged'
    samples.push(read)
  }

  return {help, samples}
}

function readSample(line: string): Sample | undefined {
  const [, metric, text = '', value] = sample.exec(line) ?? []
  if (metric === undefined) return undefined
  const labels: Record<string, string> = {}
  for (label.lastIndex = 0; label.lastIndex < text.length; ) {
    const [, name, shown] = label.exec(text) ?? []
    if (name === undefined || shown === undefined) return undefined
    labels[name] = shown.replaceAll(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped))
  }

  return {metric, labels, value: Number(value)}
}

/** The text that the textfile collector of the node exporter reads: gauges without times, each label set once. */
export async function printExposition({help, samples}: Exposition): Promise<string> {
  const registry = new Registry()
  for (const [metric, values] of Map.groupBy(samples, (each) => each.metric)) {
    const labelNames = [...new Set(values.flatMap(({labels}) => Object.keys(labels)))]
    const gauge = new Gauge({name: metric, help: help[metric] ?? metric, labelNames, registers: [registry]})
    for (const {labels, value} of values) gauge.set({...labels}, value)
  }

  return registry.metrics()
}
