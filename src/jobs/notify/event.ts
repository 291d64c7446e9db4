import {exitCodeOf, exitNameOf} from '../../contract/index.js'
import {thousands} from '../../values/counted.js'

/** Facts of a run besides its exit code, as its envelope has it; `rows` by what became of them. */
export type Facts = {
  rows?: Readonly<Record<string, number>> | undefined
  file?: string | undefined
  grade?: string | undefined
  range?: {asked: [string | null, string | null]; served: [string | null, string | null]} | undefined
}

/** The content of a notification: JSON for a command, and the source of the body for a URL. */
export type NotifyEvent = Facts & {
  event: 'start' | 'success' | 'failure'
  /** Name of the job, of `--since-last`, or the command. */
  name: string
  command: string
  /** Left out of a start, and of an end that no process saw. */
  exit?: {code: number; name: string}
  signal?: string
  startedAt: string
  endedAt?: string
  seconds?: number
  /** The last messages, without secrets. */
  messages: string
}

/** The end of a command, as a shell sees it: 128 and the number of the signal where one killed it. */
export type Ended = {exitCode: number; signal?: string | undefined}

/** One run of a command; its notifications bear its id. */
export type Run = {name: string; command: string; at: number; rid: string}

export function toStartEvent({name, command, at}: Run): NotifyEvent {
  return {event: 'start', name, command, startedAt: new Date(at).toISOString(), messages: ''}
}

/** The event of an end; undefined where the run that has the lock reports. */
export function toEndEvent(
  started: Run,
  {exitCode, signal}: Ended,
  {at, messages, facts}: {at: number; messages: string; facts?: Facts},
): NotifyEvent | undefined {
  if (exitCode === exitCodeOf('locked').code) return undefined
  return {
    event: exitCode === 0 ? 'success' : 'failure',
    name: started.name,
    command: started.command,
    exit: {code: exitCode, name: exitNameOf(exitCode)},
    ...(signal !== undefined && {signal}),
    startedAt: new Date(started.at).toISOString(),
    endedAt: new Date(at).toISOString(),
    seconds: toSeconds(at - started.at),
    ...facts,
    messages,
  }
}

/** The failure of a run that was killed unseen, with the time at which it last ran. */
export function toLostEvent({name, command, at}: Run, seen: number): NotifyEvent {
  const times = {startedAt: new Date(at).toISOString(), endedAt: new Date(seen).toISOString()}
  return {event: 'failure', name, command, ...times, seconds: toSeconds(seen - at), messages: lostMessage}
}

const lostMessage =
  'No end of this run was recorded: it was killed, or the machine stopped, within half a minute of the time given as its end.'

function toSeconds(milliseconds: number): number {
  return Math.max(0, Math.round(milliseconds / 100) / 10)
}

/** The body for a URL: the result in one line, facts in another, then the messages. */
export function toBody(told: NotifyEvent): string {
  const {event, name, exit, signal, startedAt, endedAt, seconds, messages} = told
  if (event === 'start') return ''
  const how = signal === undefined ? `exit ${exit?.code} (${exit?.name})` : `killed by ${signal}`
  const what = event === 'success' ? 'succeeded' : exit ? `failed: ${how}` : 'was killed'
  const when = `started at ${startedAt}, ended at ${endedAt} after ${seconds} s`
  return `${name} ${what}; ${when}\n${describeFacts(told)}${messages === '' ? '' : `\n${messages}\n`}`
}

function describeFacts({rows = {}, file, grade, range}: Facts): string {
  const [start, end] = range?.asked ?? []
  const texts = [
    ...Object.entries(rows).map(([fate, count]) => `${fate} ${thousands(count)}`),
    file && `file ${file}`,
    grade && `grade ${grade}`,
    range && `${start ?? ''} … ${end ?? ''}`,
  ].filter(Boolean)
  return texts.length === 0 ? '' : `${texts.join(', ')}\n`
}
