import {readFile, realpath} from 'node:fs/promises'
import {basename, dirname, join} from 'node:path'
import {Gauge, Registry} from 'prom-client'
import type {ErrorCode} from '../../contract/failure-codes.js'
import {CliFailure} from '../../core/errors.js'
import {underLock} from '../../core/lock.js'
import {privateName} from '../../core/private-name.js'
import {openAtomicFile} from '../../formats/files/atomic-file.js'
import {errorCodeOf} from '../../formats/files/file-failure.js'

/** Labels that tell the values of a run from those of other jobs. */
export type RunName = {name: string; command: string; profile: string}

/** The end of a run. Unknown facts are left out. */
export type RunMetrics = RunName & {
  /** Milliseconds since 1970. */
  endedAt: number
  seconds: number
  exit: number
  /** Rows by outcome, such as `written` or `refused`. */
  rows?: Readonly<Record<string, number>> | undefined
  requests?: number | undefined
  quotaLeft?: number | undefined
  grade?: string | undefined
}

const lastSuccess = 'vendorctl_last_success_timestamp_seconds'
const lastRun = 'vendorctl_last_run_timestamp_seconds'

const helpTexts: Readonly<Record<string, string>> = {
  [lastSuccess]: 'When a run last ended with exit code 0, in seconds since 1970; 0 if none did.',
  [lastRun]: 'When the last run ended, in seconds since 1970.',
  vendorctl_last_run_exit_code: 'Exit code of the last run; vendorctl explain CODE says what it means.',
  vendorctl_last_run_duration_seconds: 'How long the last run took.',
  vendorctl_last_run_rows: 'Rows of the last run by what became of them.',
  vendorctl_last_run_requests: 'Requests of the last run.',
  vendorctl_last_run_grade: 'How well the last export proved to be complete: 1 is grade A, 4 is grade D.',
  vendorctl_quota_left_requests: 'Requests of the daily quota that were left at the end of the last run.',
}

/** The metrics of a file with those of this run; other jobs keep theirs, and a failed run keeps the last success. */
export function addRun(earlier: Exposition, run: RunMetrics): Exposition {
  const others = earlier.samples.filter(({labels}) => !isOf(labels, run))
  return {
    help: {...earlier.help, ...helpTexts},
    samples: [...others, ...toSamples(run, findLast(earlier, lastSuccess, run))],
  }
}

/** End of the last run with these labels, in milliseconds since 1970; undefined where there is none. */
export function findLastRun(earlier: Exposition, name: RunName): number | undefined {
  const seconds = findLast(earlier, lastRun, name)
  return seconds === undefined ? undefined : seconds * 1_000
}

function findLast({samples}: Exposition, metric: string, name: RunName): number | undefined {
  return samples.find((each) => each.metric === metric && isOf(each.labels, name))?.value
}

function isOf(labels: Sample['labels'], {name, command, profile}: RunName): boolean {
  return labels['name'] === name && labels['command'] === command && labels['profile'] === profile
}

function toSamples({name, command, profile, ...run}: RunMetrics, succeeded = 0): Sample[] {
  const {endedAt, exit, rows = {}, grade} = run
  const labels = {name, command, profile}
  const at = endedAt / 1_000
  const place = grade === undefined ? -1 : 'ABCD'.indexOf(grade)
  const values: Record<string, number | undefined> = {
    [lastSuccess]: exit === 0 ? at : succeeded,
    [lastRun]: at,
    vendorctl_last_run_exit_code: exit,
    vendorctl_last_run_duration_seconds: Math.round(run.seconds * 1_000) / 1_000,
    vendorctl_last_run_requests: run.requests,
    vendorctl_last_run_grade: place === -1 ? undefined : place + 1,
    vendorctl_quota_left_requests: run.quotaLeft,
  }
  return [
    ...Object.entries(values).flatMap(([metric, value]) => (value === undefined ? [] : [{metric, labels, value}])),
    ...Object.entries(rows).map(([fate, value]) => ({
      metric: 'vendorctl_last_run_rows',
      labels: {...labels, fate},
      value,
    })),
  ]
}

export type Sample = {metric: string; labels: Readonly<Record<string, string>>; value: number}

/** The metrics of a file: what each is about, and its values. */
export type Exposition = {help: Readonly<Record<string, string>>; samples: readonly Sample[]}

/** Contents of a file that are no metrics of this program: those of another program, or damaged ones. */
export type NotMetrics = 'foreign' | 'damaged'

const ours = /^# HELP vendorctl_/
const about = /^# (?:HELP (vendorctl_[a-z0-9_]+) (.+)|TYPE vendorctl_[a-z0-9_]+ gauge)$/
const sample = /^(vendorctl_[a-z0-9_]+)\{(.*)\} (-?\d+(?:\.\d+)?(?:e[+-]\d+)?)$/
const label = /([a-z_]+)="((?:[^"\\]|\\[\\n"])*)"(?:,|$)/y

/** Reads the output of `printExposition`; an empty text has no samples. */
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

/** The node exporter is another user and only reads. */
const readableByAll = 0o644
const patienceMilliseconds = 5_000

export type MetricsFile = {
  path: string
  /** Folder of the locks: processes that share it write to one file in turn. */
  folder: string
  /** Writes nothing where a run of these labels has ended since: milliseconds since 1970. */
  unlessEndedSince?: number
}

/**
 * Adds how a run ended to a metrics file, which is replaced in one step. Returns notices for the user. Throws a
 * `CliFailure` when it cannot be written.
 */
export async function writeMetrics(run: RunMetrics, file: MetricsFile): Promise<string[]> {
  const {path, folder, unlessEndedSince: since = Number.POSITIVE_INFINITY} = file
  const known = join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path))
  const lock = join(folder, `${privateName([known])}.lock`)
  return underLock(lock, `the lock of ${path}`, {milliseconds: patienceMilliseconds}, async () => {
    const {earlier, notices} = await readEarlier(path)
    if ((findLastRun(earlier, run) ?? 0) >= since) return notices
    const output = await openAtomicFile(path, {overwrite: true, mode: readableByAll})
    await output.write(await printExposition(addRun(earlier, run)))
    await output.commit()
    return notices
  })
}

async function readEarlier(path: string): Promise<{earlier: Exposition; notices: string[]}> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCodeOf(error) === 'ENOENT') return ''
    throw unfit(`${path} cannot be read (${errorCodeOf(error)})`, 'FILE_UNREADABLE')
  })
  const earlier = readExposition(text)
  if (earlier === 'foreign')
    throw unfit(`${path} contains metrics of another program and is not changed`, 'FILE_EXISTS')
  if (earlier !== 'damaged') return {earlier, notices: []}
  const notices = [`${path} was damaged and is written anew; other jobs are in it again after their next run`]
  return {earlier: {help: {}, samples: []}, notices}
}

function unfit(message: string, code: ErrorCode): CliFailure {
  return new CliFailure(message, {code, exit: 'storage', hints: ['Name another file with --metrics-file.']})
}
