import type {Exposition, Sample} from './exposition.js'

/** Whose run it was: the labels by which its values are told apart from those of other jobs. */
export type RunName = {name: string; command: string; profile: string}

/** How a run ended. What is not known of it is left out. */
export type RunMetrics = RunName & {
  /** Milliseconds since 1970. */
  endedAt: number
  seconds: number
  exit: number
  /** By what became of them, such as `written` or `refused`. */
  rows?: Readonly<Record<string, number>> | undefined
  requests?: number | undefined
  quotaLeft?: number | undefined
  grade?: string | undefined
}

const lastSuccess = 'vendorctl_last_success_timestamp_seconds'
const lastRun = 'vendorctl_last_run_timestamp_seconds'

const about: Readonly<Record<string, string>> = {
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
    help: {...earlier.help, ...about},
    samples: [...others, ...toSamples(run, findLast(earlier, lastSuccess, run))],
  }
}

/** When the last run of these labels ended, in milliseconds since 1970; undefined where there is none. */
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
