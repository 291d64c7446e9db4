import {commandLine} from '../../core/command-line.js'
import {thousands} from '../../values/counted.js'

export type LeftWrite = {
  /** Undefined while nothing was sent. */
  runId: string | undefined
  /** The run of an earlier command that is resumed. */
  resumes: string | undefined
  answered: number
  rows: number
}

/** The message for a bulk write that a second signal stops: what is known, and the next command. */
export function leaveWrite({resumes, runId = resumes, answered, rows}: LeftWrite): string {
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

/** The same for finding out what became of a run. */
export function leaveReconcile(id: string): string {
  return `Stopped immediately; what is known so far is kept.\n→ Resume: ${commandLine('runs reconcile', [id])}`
}
