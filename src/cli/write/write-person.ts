import {systemClock} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {countToSend} from '../../runs/rows/phases.js'
import type {Person} from '../../runs/write/needs.js'
import type {Resolved} from '../../settings/settings.js'
import {thousands} from '../../values/counted.js'
import type {CommandContext} from '../app/command-context.js'
import {createPace, type Progress} from '../terminal/progress.js'
import {onSecondSignal, stopSignal} from '../terminal/signals.js'
import {askConsent, checkConsent, willAsk} from './consent.js'
import {describePlaces} from './describe-sites.js'
import {aroundQuestion, type Notes, previewNew} from './notes.js'
import type {WriteFlags} from './write-flags.js'

type Shown = {
  flags: WriteFlags
  messages: CommandContext['messages']
  resolved: Resolved
  notes: Notes
  progress: Progress
  /** The run that is sent, and the one that is resumed, for the message after a second Ctrl-C. */
  runs: () => {resumes: string | undefined; runId: string | undefined}
}

/** The person at the terminal, or the reader of the log. */
export function createPerson({flags, messages, resolved, notes, progress, runs}: Shown): Person {
  const sent = {answered: 0, rows: 0}
  onSecondSignal(
    () => leaveWrite({...runs(), ...sent}),
    () => runs().runId ?? runs().resumes,
  )
  return {
    tell: notes.tell,
    warn: notes.warn,
    note: notes.note,
    progress: (text) => (text === undefined ? progress.pause() : progress.update(text)),
    async showPlaces(plan) {
      for (const text of await describePlaces(plan)) notes.note(text)
    },
    async showNew(plan) {
      if (flags.quiet || flags.output !== undefined) return
      for (const text of await previewNew(plan, flags.verbose)) notes.note(text)
    },
    willAnswer: (plan) => willAsk(plan, flags, resolved),
    checkConsent: (plan) => checkConsent(plan, flags, resolved),
    agrees(question) {
      progress.pause()
      return askConsent(question, flags, resolved, () => aroundQuestion(question, notes, flags.quiet))
    },
    watch(sets) {
      const pace = createPace(systemClock.monotonic)
      const sayStopping = () => {
        progress.end()
        messages.note('Stopping: waiting up to 10 s for the set in flight. Ctrl-C again stops immediately.')
      }
      stopSignal().addEventListener('abort', sayStopping, {once: true})
      sent.rows = countToSend({sets})
      progress.update(`Set 1 of ${sets.length} …`)
      return {
        answered({set, again, answer}) {
          if (answer.fate === 'applied' || answer.fate === 'refused')
            sent.answered += set.places.length - (again?.size ?? 0)
          const done = sets.findLastIndex(({number}) => number === set.number) + 1
          progress.update(`Set ${done} of ${sets.length} · ${pace(sent.answered, done / sets.length, sent.rows)}`)
        },
        end: () => stopSignal().removeEventListener('abort', sayStopping), // a reader that leaves now stops nothing
      }
    },
  }
}

type LeftWrite = {
  /** Undefined while nothing was sent. */
  runId: string | undefined
  /** The run of an earlier command that is resumed. */
  resumes: string | undefined
  answered: number
  rows: number
}

/** The message for a bulk write that a second signal stops: the known state, and the next command. */
function leaveWrite({resumes, runId = resumes, answered, rows}: LeftWrite): string {
  if (runId === undefined) return 'Stopped immediately: nothing was sent.\n→ Run the same command again.'
  if (resumes === undefined && answered === rows) {
    return [
      `Stopped immediately: all rows were answered (${thousands(rows)}); files of results or rejects may be missing.`,
      `→ What became of each row: ${commandLine('runs results', [runId])}`,
    ].join('\n')
  }

  const known =
    resumes === undefined
      ? `${thousands(answered)} of ${thousands(rows)} rows were answered`
      : 'what was answered is kept'
  return [
    `Stopped immediately: ${known}; a set that was being sent may or may not have been applied.`,
    'No results or rejects file was written. Do not send any row again by hand.',
    `→ What is known and what is not: ${commandLine('runs show', [runId])}`,
    `→ Resolve rows in doubt and send the rest: ${commandLine('runs resume', [runId])}`,
  ].join('\n')
}
