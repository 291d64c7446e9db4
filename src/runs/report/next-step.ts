import {commandLine} from '../../core/command-line.js'
import type {RunState} from '../journal/run-summary.js'
import type {RowOutcome} from '../rows/phases.js'
import type {RunReport} from './report.js'
import {keptBack} from './set-fates.js'

export type NextStep = {
  /** What to do, in one sentence. */
  text: string
  /** The command that does it, where there is one. */
  command?: string
}

export type StepFacts = {
  /** Rows that were refused. */
  refused?: number
  /** The canary was refused: resuming sends none of the other rows. */
  isKeptBack?: boolean | undefined
  /** How the run ended, where that is known. */
  exit?: string | undefined
}

/** What to do about a run in some state. */
export function nextStepOf(state: RunState, id: string, {refused = 0, isKeptBack, exit}: StepFacts = {}): NextStep {
  switch (state) {
    case 'inDoubt':
      return {text: 'Find out what became of the rows in doubt', command: commandLine('runs reconcile', [id])}
    case 'unfinished':
      if (isKeptBack) return {text: fixCanary, command: commandLine('runs results', [id])}
      return {text: 'Send what is left', command: commandLine('runs resume', [id])}
    case 'running':
      return {text: 'Wait: another process is working on it.'}
    case 'exported':
      return {text: 'Resume it on the machine that imported it.'}
    case 'unreadable':
      return {text: 'See why it cannot be read', command: commandLine('runs show', [id])}
    case 'damaged':
    case 'newer':
    case 'unsafe':
      return {text: 'See what is known of it', command: commandLine('runs show', [id])}
    case 'done':
      if (refused > 0 && (exit === 'denied' || exit === 'unsafe'))
        return {text: sendPermitted, command: commandLine('runs results', [id])}
      return refused > 0
        ? {text: 'Fix the refused rows and send them', command: commandLine('runs results', [id])}
        : {text: 'Nothing is left to do.'}
  }
}

const sendPermitted = 'No row is at fault; send them again when the service permits it'
const fixCanary = 'Fix its first rows (--canary), which were refused, and run the same command again'

export function nextStepText({text, command}: NextStep): string {
  return command === undefined ? text : `${text}: ${command}`
}

/** What to do about a run that has just ended; undefined when no row is left to send and none is in doubt. */
export function nextStepOfReport({
  runId,
  rows,
  outcomes,
}: Pick<RunReport, 'runId' | 'rows' | 'outcomes'>): NextStep | undefined {
  if (runId === undefined) return undefined
  if (rows.inDoubt > 0) return nextStepOf('inDoubt', runId)
  return hasRowsLeft({outcomes}) ? nextStepOf('unfinished', runId) : undefined
}

/** Whether a row is unsent that was meant to be sent: one that changes nothing is not. */
export function hasRowsLeft({outcomes}: Pick<RunReport, 'outcomes'>): boolean {
  return outcomes.some(isLeft)
}

const notMeant = ['CHANGED_SINCE', 'APPLIED_BEFORE', 'CONTINUED']

/** Rows behind a refused canary are not sent by resuming; an unsent canary is. */
function isLeft({fate, code, message}: RowOutcome): boolean {
  return fate === 'unsent' && !notMeant.includes(code ?? '') && message !== keptBack
}
